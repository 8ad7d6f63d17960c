#include <stdio.h>

static int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1); //~ overflow
}

int main(void)
{
    printf("%d\n", factorial(12));
    printf("%d\n", factorial(13));
    return 0;
}
