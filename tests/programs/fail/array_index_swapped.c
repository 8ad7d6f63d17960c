#include <stdio.h>

enum { ROWS = 5, COLS = 3 };
static int cell[ROWS][COLS];

int main(void)
{
    for (int r = 0; r < COLS; r++)
        for (int c = 0; c < ROWS; c++)
            cell[r][c] = r * c; //~ array-index
    printf("%d\n", cell[2][2]);
    return 0;
}
