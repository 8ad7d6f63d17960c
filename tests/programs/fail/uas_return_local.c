#include <stdio.h>

static int *largest(int a, int b)
{
    int r = a > b ? a : b;
    int *p = &r;
    return p;
}

int main(void)
{
    int *p = largest(3, 4);
    printf("%d\n", *p); //~ use-after-scope
    return 0;
}
