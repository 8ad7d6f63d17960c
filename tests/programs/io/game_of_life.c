#include <stdio.h>
#include <string.h>

enum { W = 16, H = 10 };
static unsigned char cell[2][H][W];

static int neighbours(int g, int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
                n += cell[g][(y + dy + H) % H][(x + dx + W) % W];
    return n;
}
int main(void)
{
    char line[64];
    for (int y = 0; y < H && fgets(line, sizeof line, stdin); y++)
        for (int x = 0; x < W && line[x] && line[x] != '\n'; x++)
            cell[0][y][x] = line[x] == '#';
    int g = 0;
    for (int t = 0; t < 12; t++, g ^= 1) {
        int alive = 0;
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int n = neighbours(g, y, x);
                alive += cell[g][y][x];
                cell[!g][y][x] = n == 3 || (n == 2 && cell[g][y][x]);
            }
        printf("gen %d alive %d\n", t, alive);
    }
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++)
            putchar(cell[g][y][x] ? '#' : '.');
        putchar('\n');
    }
    return 0;
}
