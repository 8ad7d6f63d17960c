#include <stdio.h>
#include <stdlib.h>

typedef struct { int r, c; double *d; } mat;
#define AT(m, i, j) ((m).d[(i) * (m).c + (j)])

static mat make(int r, int c) { return (mat){ r, c, calloc((size_t)r * c, sizeof(double)) }; }
static mat mul(mat a, mat b)
{
    mat m = make(a.r, b.c);
    for (int i = 0; i < a.r; i++)
        for (int j = 0; j < b.c; j++)
            for (int k = 0; k < a.c; k++)
                AT(m, i, j) += AT(a, i, k) * AT(b, k, j);
    return m;
}
static mat transpose(mat a)
{
    mat m = make(a.c, a.r);
    for (int i = 0; i < a.r; i++)
        for (int j = 0; j < a.c; j++)
            AT(m, j, i) = AT(a, i, j);
    return m;
}
static mat power(mat a, unsigned e)
{
    mat r = make(a.r, a.r), b = make(a.r, a.r);
    for (int i = 0; i < a.r; i++) AT(r, i, i) = 1;
    for (int i = 0; i < a.r * a.c; i++) b.d[i] = a.d[i];
    for (; e; e >>= 1) {
        mat t;
        if (e & 1) { t = mul(r, b); free(r.d); r = t; }
        t = mul(b, b); free(b.d); b = t;
    }
    free(b.d);
    return r;
}
static void show(const char *n, mat m)
{
    printf("%s %dx%d\n", n, m.r, m.c);
    for (int i = 0; i < m.r; i++, puts(""))
        for (int j = 0; j < m.c; j++)
            printf("%8.2f", AT(m, i, j));
}
int main(void)
{
    int r, c;
    if (scanf("%d %d", &r, &c) != 2) return 1;
    mat a = make(r, c);
    for (int i = 0; i < r * c; i++)
        if (scanf("%lf", &a.d[i]) != 1) return 2;
    mat t = transpose(a), p = mul(a, t), q = power(p, 3);
    show("a", a);
    show("at", t);
    show("a*at", p);
    show("cubed", q);
    free(a.d); free(t.d); free(p.d); free(q.d);
    return 0;
}
