#include <stdio.h>

int main(void)
{
    int v[5] = { 1, 2, 3, 4, 5 };
    int i = 4;
    while (v[i] != 9) //~ array-index
        i--;
    printf("%d\n", i);
    return 0;
}
