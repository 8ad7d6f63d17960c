#include <stdio.h>

struct frame { int n; const struct frame *up; };

static int depth_sum(const struct frame *f) { int s = 0; for (; f; f = f->up) s += f->n; return s; }
static int go(int n, const struct frame *up)
{
    struct frame f = { n, up };
    if (n == 0)
        return depth_sum(&f);
    return go(n - 1, &f);
}
static void fill(int *v, int n) { if (n) { *v = n; fill(v + 1, n - 1); } }

int main(void)
{
    printf("%d\n", go(10, NULL));
    int v[5];
    fill(v, 5);
    printf("%d %d\n", v[0], v[4]);
    return 0;
}
