#include <stdio.h>
#include <stdlib.h>

static int trace(int n, int (*m)[n])
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}
int main(void)
{
    int n = 4;
    int (*m)[n] = calloc(n, sizeof *m);
    if (!m)
        return 1;
    for (int i = 0; i < n; i++)
        m[i][i] = i + 1;
    printf("%d %zu\n", trace(n, m), sizeof *m);
    int v[n], (*pv)[n] = &v;
    for (int i = 0; i < n; i++)
        (*pv)[i] = i;
    n = 100;
    printf("%zu %zu %d\n", sizeof v / sizeof v[0], sizeof *pv, v[3]);
    int *end = *(pv + 1);
    printf("%td\n", end - v);
    free(m);
    for (int k = 1; k < 5; k++) {
        char s[k];
        s[k - 1] = (char)k;
        printf("%d", s[sizeof s - 1]);
    }
    putchar('\n');
    return 0;
}
