#include <stdio.h>
#include <stdlib.h>

typedef void generic(void);
static int add(int a, int b) { return a + b; }
static double scale(double x) { return x * 1.5; }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static generic *table[] = { (generic *)add, (generic *)scale };

int main(void)
{
    printf("%d %g\n", ((int (*)(int, int))table[0])(2, 3), ((double (*)(double))table[1])(2));
    void *p = (void *)add;
    int (*f)(int, int) = (int (*)(int, int))p;
    printf("%d %d\n", f(4, 5), f == add);
    int (*null)(void) = 0;
    printf("%d %d\n", null == NULL, !null);
    int v[] = { 3, 1, 2 };
    qsort(v, 3, sizeof v[0], cmp);
    printf("%d%d%d\n", v[0], v[1], v[2]);
    int (*arr[2])(int, int) = { add };
    printf("%d\n", arr[1] ? 1 : arr[0](1, 1));
    return 0;
}
