#include <stdio.h>

int main(void)
{
    int m[3][5] = { { 0 } };
    for (int j = 0; j < 7; j++)
        m[0][j] = j; //~ array-index
    printf("%d\n", m[1][0]);
    return 0;
}
