#include <stdio.h>
#include <string.h>

static char canvas[16][33];
static void tri(int y, int x, int n)
{
    if (n == 1) {
        canvas[y][x] = '*';
        return;
    }
    n /= 2;
    tri(y, x, n);
    tri(y + n, x - n, n);
    tri(y + n, x + n, n);
}
static void carpet(int n)
{
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            int hole = 0;
            for (int a = x, b = y; a || b; a /= 3, b /= 3)
                hole |= a % 3 == 1 && b % 3 == 1;
            putchar(hole ? ' ' : '#');
        }
        putchar('\n');
    }
}
static void dragon(int n)
{
    for (unsigned i = 1; i < 1u << n; i++)
        putchar(((i & -i) << 1 & i) ? 'L' : 'R');
    putchar('\n');
}
int main(void)
{
    memset(canvas, ' ', sizeof canvas);
    for (int i = 0; i < 16; i++)
        canvas[i][32] = 0;
    tri(0, 16, 16);
    for (int i = 0; i < 16; i++) {
        int e = 32;
        while (e && canvas[i][e - 1] == ' ')
            e--;
        printf("%.*s\n", e, canvas[i]);
    }
    carpet(9);
    dragon(5);
    return 0;
}
