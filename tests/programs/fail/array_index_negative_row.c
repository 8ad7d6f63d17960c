#include <stdio.h>

static char grid[4][8];

int main(void)
{
    int x = 2, y = 2, steps = 0;
    while (steps++ < 5)
        grid[y][x--] = '#'; //~ array-index
    putchar(grid[2][2]);
    return 0;
}
