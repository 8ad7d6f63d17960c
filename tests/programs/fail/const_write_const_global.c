#include <stdio.h>

static const int limits[3] = { 1, 2, 3 };

static void set(const int *p, int v)
{
    *(int *)p = v; //~ write-to-constant
}

int main(void)
{
    int mine = 0;
    set(&mine, 5);
    set(&limits[1], 9);
    printf("%d\n", limits[1]);
    return 0;
}
