#include <stdio.h>

int main(void)
{
    short cube[2][3][4] = { { { 0 } } };
    int total = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            total += cube[i][j][0]; //~ array-index
    printf("%d\n", total);
    return 0;
}
