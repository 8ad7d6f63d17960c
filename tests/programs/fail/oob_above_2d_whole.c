#include <stdio.h>

int main(void)
{
    int m[3][4];
    for (int i = 0; i <= 3; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = i + j; //~ array-index
    printf("%d\n", m[1][1]);
    return 0;
}
