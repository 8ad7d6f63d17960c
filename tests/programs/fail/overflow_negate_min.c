#include <stdio.h>
#include <limits.h>

static int absolute(int v)
{
    return v < 0 ? -v : v; //~ overflow
}

int main(void)
{
    printf("%d\n", absolute(-5));
    printf("%d\n", absolute(INT_MIN));
    return 0;
}
