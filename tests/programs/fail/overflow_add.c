#include <stdio.h>
#include <limits.h>

int main(void)
{
    int total = INT_MAX - 100;
    for (int i = 0; i < 30; i++)
        total = total + i; //~ overflow
    printf("%d\n", total);
    return 0;
}
