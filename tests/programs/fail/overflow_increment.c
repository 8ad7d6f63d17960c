#include <stdio.h>
#include <limits.h>

int main(void)
{
    int i = INT_MAX - 2;
    while (i > 0)
        i++; //~ overflow
    printf("%d\n", i);
    return 0;
}
