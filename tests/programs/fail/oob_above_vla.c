#include <stdio.h>

static int fill(int n)
{
    int v[n];
    for (int i = 0; i < n; i++)
        v[i] = i;
    return v[n]; //~ out-of-bounds-above
}

int main(void)
{
    printf("%d\n", fill(6));
    return 0;
}
