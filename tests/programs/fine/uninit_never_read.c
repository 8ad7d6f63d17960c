#include <stdio.h>

static int pick(int which)
{
    int a, b, r;
    if (which)
        a = 10;
    else
        b = 20;
    r = which ? a : b;
    return r;
}
static void outputs(int *x, int *y) { *x = 1; *y = 2; }

int main(void)
{
    int u, v;
    outputs(&u, &v);
    int arr[10];
    arr[3] = 4;
    int *p = &arr[3];
    struct { int a, b; } s;
    s.b = 5;
    printf("%d %d %d %d\n", pick(0), pick(1), *p, s.b);
    printf("%d %zu\n", u + v, sizeof arr + sizeof(arr[20]));
    int late;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            late = 3;
        else
            printf("%d\n", late);
    }
    int unused, *q = &unused;
    printf("%d\n", q == &unused);
    return 0;
}
