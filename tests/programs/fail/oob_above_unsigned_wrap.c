#include <stdio.h>

static int last_positive(const int *v, unsigned n)
{
    while (v[n - 1] <= 0) //~ out-of-bounds-above
        n--;
    return v[n - 1];
}

int main(void)
{
    int a[3] = { 5, -1, 0 };
    printf("%d\n", last_positive(a, 3));
    printf("%d\n", last_positive(a, 0));
    return 0;
}
