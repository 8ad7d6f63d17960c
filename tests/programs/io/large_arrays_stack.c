#include <stdio.h>
#include <string.h>

static int global[20000];
static const unsigned char zeros[50000];

static long work(void)
{
    int local[8000];
    char text[4096];
    for (int i = 0; i < 8000; i += 100)
        local[i] = i;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    long s = (long)strlen(text);
    for (int i = 0; i < 8000; i += 100)
        s += local[i];
    return s;
}
int main(void)
{
    global[19999] = 5;
    memcpy(global, global + 19990, 10 * sizeof(int));
    printf("%d %d\n", global[9], zeros[49999]);
    printf("%ld\n", work());
    double grid[64][64];
    memset(grid, 0, sizeof grid);
    for (int i = 0; i < 64; i++)
        grid[i][63 - i] = i + 0.5;
    double t = 0;
    for (int i = 0; i < 64; i++)
        t += grid[i][63 - i];
    printf("%g %zu\n", t, sizeof grid);
    return 0;
}
