#include <stdio.h>

static int find(const int *v, int key)
{
    int i = 0;
    while (v[i] != key) //~ out-of-bounds-above
        i++;
    return i;
}

int main(void)
{
    int v[4] = { 4, 8, 15, 16 };
    printf("%d\n", find(v, 15));
    printf("%d\n", find(v, 23));
    return 0;
}
