#include <stdio.h>
#include <stdlib.h>

typedef struct { int lo, hi; } iv;
static int cmp(const void *a, const void *b)
{
    const iv *x = a, *y = b;
    return x->lo != y->lo ? (x->lo < y->lo ? -1 : 1) : (x->hi > y->hi) - (x->hi < y->hi);
}
static size_t merge(iv *v, size_t n)
{
    if (!n)
        return 0;
    qsort(v, n, sizeof *v, cmp);
    iv *out = v;
    for (iv *p = v + 1; p != v + n; p++)
        if (p->lo <= out->hi) {
            if (p->hi > out->hi)
                out->hi = p->hi;
        } else
            *++out = *p;
    return (size_t)(out - v) + 1;
}
int main(void)
{
    iv v[32];
    size_t n = 0;
    while (n < 32 && scanf(" [%d,%d]", &v[n].lo, &v[n].hi) == 2)
        if (v[n].lo <= v[n].hi)
            n++;
    printf("%zu intervals\n", n);
    n = merge(v, n);
    int covered = 0;
    for (size_t i = 0; i < n; i++) {
        printf("[%d,%d] ", v[i].lo, v[i].hi);
        covered += v[i].hi - v[i].lo;
    }
    printf("covered %d\n", covered);
    return (int)n;
}
