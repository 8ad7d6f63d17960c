#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct emp { char name[10]; int dept; double pay; };

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct emp *)a)->name, ((const struct emp *)b)->name);
}
static int by_dept_pay(const void *pa, const void *pb)
{
    const struct emp *a = pa, *b = pb;
    if (a->dept != b->dept) return a->dept < b->dept ? -1 : 1;
    return (b->pay > a->pay) - (b->pay < a->pay);
}
static int cmp_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int cmp_key(const void *k, const void *e) { return strcmp(k, ((const struct emp *)e)->name); }

int main(void)
{
    struct emp e[] = { { "mona", 2, 10.5 }, { "carl", 1, 20 }, { "zoe", 2, 30.25 }, { "abe", 1, 15 }, { "lin", 3, 5 } };
    size_t n = sizeof e / sizeof *e;
    qsort(e, n, sizeof *e, by_dept_pay);
    for (size_t i = 0; i < n; i++)
        printf("%d %s %.2f\n", e[i].dept, e[i].name, e[i].pay);
    qsort(e, n, sizeof *e, by_name);
    const char *keys[] = { "carl", "nobody", "zoe", "abe" };
    for (int i = 0; i < 4; i++) {
        struct emp *f = bsearch(keys[i], e, n, sizeof *e, cmp_key);
        printf("%s: %d\n", keys[i], f ? (int)(f - e) : -1);
    }
    int v[40], k;
    for (int i = 0; i < 40; i++)
        v[i] = (i * 29 + 7) % 41;
    qsort(v, 40, sizeof v[0], cmp_int);
    int sorted = 1;
    for (int i = 1; i < 40; i++)
        sorted &= v[i - 1] <= v[i];
    printf("sorted %d\n", sorted);
    for (k = 0; k < 45; k += 9) {
        int *p = bsearch(&k, v, 40, sizeof v[0], cmp_int);
        printf("%d %s\n", k, p && *p == k ? "found" : "missing");
    }
    qsort(v, 0, sizeof v[0], cmp_int);
    return 0;
}
