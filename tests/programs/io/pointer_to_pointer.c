#include <stdio.h>
#include <stdlib.h>

static void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
static int alloc_matrix(int ***out, int r, int c)
{
    int **m = malloc(r * sizeof *m);
    if (!m) return -1;
    for (int i = 0; i < r; i++) {
        m[i] = calloc(c, sizeof **m);
        if (!m[i]) return -1;
    }
    *out = m;
    return 0;
}
int main(void)
{
    int x = 1, y = 2, *p = &x, *q = &y;
    swap(&p, &q);
    printf("%d %d\n", *p, *q);
    int **m;
    if (alloc_matrix(&m, 4, 3))
        return 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = i * 3 + j;
    int *row = m[0];
    m[0] = m[3];
    m[3] = row;
    int ***mm = &m;
    (*mm)[1][1] = 50;
    for (int i = 0; i < 4; i++, puts(""))
        for (int j = 0; j < 3; j++)
            printf("%3d", *(*(*mm + i) + j));
    for (int i = 0; i < 4; i++)
        free(m[i]);
    free(m);
    return 0;
}
