#include <stdio.h>
#include <stdlib.h>

static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b; //~ overflow
}

int main(void)
{
    int x = 2000000000, y = -2000000000;
    printf("%d\n", cmp(&x, &y));
    return 0;
}
