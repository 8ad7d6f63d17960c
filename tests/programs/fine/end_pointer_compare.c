#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t n = 6;
    short *v = malloc(n * sizeof *v);
    if (!v)
        return 1;
    for (short *p = v, *e = v + n; p < e; ++p)
        *p = (short)(p - v);
    short *lo = v, *hi = v + n;
    while (lo < hi) {
        short *mid = lo + (hi - lo) / 2;
        if (*mid < 4)
            lo = mid + 1;
        else
            hi = mid;
    }
    printf("%td %d %d\n", lo - v, v + n >= v, v + n > v + n - 1);
    free(v);
    char *empty = malloc(1);
    printf("%d\n", empty + 1 != empty);
    free(empty);
    return 0;
}
