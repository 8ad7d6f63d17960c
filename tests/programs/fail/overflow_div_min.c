#include <stdio.h>
#include <limits.h>

int main(void)
{
    int v[] = { 10, INT_MIN }, d = -1;
    for (int i = 0; i < 2; i++)
        printf("%d\n", v[i] / d); //~ overflow
    return 0;
}
