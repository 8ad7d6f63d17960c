/* Gauss-Jordan inversion with partial pivoting, determinants and linear solving. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

typedef struct matrix {
    int n, m;
    double at[];
} matrix;

#define E(a, i, j) ((a)->at[(size_t)(i) * (a)->m + (j)])

static matrix *new_matrix(int n, int m)
{
    matrix *a = calloc(1, sizeof *a + sizeof(double) * n * m);
    if (!a) {
        fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    a->n = n;
    a->m = m;
    return a;
}
static matrix *copy_matrix(const matrix *a)
{
    size_t bytes = sizeof *a + sizeof(double) * a->n * a->m;
    return memcpy(malloc(bytes), a, bytes);
}
static matrix *identity(int n)
{
    matrix *a = new_matrix(n, n);
    for (int i = 0; i < n; i++)
        E(a, i, i) = 1;
    return a;
}
static void swap_rows(matrix *a, int r, int s)
{
    if (r == s)
        return;
    for (int j = 0; j < a->m; j++) {
        double t = E(a, r, j);
        E(a, r, j) = E(a, s, j);
        E(a, s, j) = t;
    }
}
static void axpy(matrix *a, int dst, int src, double k)
{
    for (int j = 0; j < a->m; j++)
        E(a, dst, j) += k * E(a, src, j);
}
static void scale(matrix *a, int r, double k)
{
    for (int j = 0; j < a->m; j++)
        E(a, r, j) *= k;
}
/* Reduces a to the identity while doing the same to b; returns the determinant. */
static double reduce(matrix *a, matrix *b)
{
    double det = 1;
    for (int c = 0; c < a->n; c++) {
        int pivot = c;
        for (int r = c + 1; r < a->n; r++)
            if (fabs(E(a, r, c)) > fabs(E(a, pivot, c)))
                pivot = r;
        double p = E(a, pivot, c);
        if (fabs(p) < 1e-12)
            return 0;
        if (pivot != c)
            det = -det;
        det *= p;
        swap_rows(a, c, pivot);
        swap_rows(b, c, pivot);
        scale(a, c, 1 / p);
        scale(b, c, 1 / p);
        for (int r = 0; r < a->n; r++)
            if (r != c && E(a, r, c) != 0) {
                double k = -E(a, r, c);
                axpy(a, r, c, k);
                axpy(b, r, c, k);
            }
    }
    return det;
}
static matrix *multiply(const matrix *a, const matrix *b)
{
    matrix *r = new_matrix(a->n, b->m);
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < a->m; k++)
            for (int j = 0; j < b->m; j++)
                E(r, i, j) += E(a, i, k) * E(b, k, j);
    return r;
}
static double distance(const matrix *a, const matrix *b)
{
    double worst = 0;
    for (int i = 0; i < a->n * a->m; i++) {
        double d = fabs(a->at[i] - b->at[i]);
        if (d > worst)
            worst = d;
    }
    return worst;
}
static double clean(double v) { return fabs(v) < 5e-7 ? 0.0 : v; }
static void print(const char *title, const matrix *a)
{
    printf("%s\n", title);
    for (int i = 0; i < a->n; i++) {
        for (int j = 0; j < a->m; j++)
            printf(" %10.5f", clean(E(a, i, j)));
        putchar('\n');
    }
}
static matrix *read_matrix(int n, int m)
{
    matrix *a = new_matrix(n, m);
    for (int i = 0; i < n * m; i++)
        if (scanf("%lf", &a->at[i]) != 1) {
            puts("short input");
            free(a);
            return NULL;
        }
    return a;
}
int main(void)
{
    char what[16];
    int n, singular = 0;
    while (scanf("%15s %d", what, &n) == 2) {
        matrix *a = read_matrix(n, n), *work, *b;
        if (!a)
            return 3;
        if (!strcmp(what, "inverse")) {
            work = copy_matrix(a);
            b = identity(n);
            double det = reduce(work, b);
            printf("det %.6g\n", det);
            if (det == 0) {
                puts("singular");
                singular++;
            } else {
                print("inverse", b);
                matrix *p = multiply(a, b), *id = identity(n);
                printf("check %s\n", distance(p, id) < 1e-9 ? "ok" : "poor");
                free(p);
                free(id);
            }
        } else if (!strcmp(what, "solve")) {
            work = copy_matrix(a);
            b = read_matrix(n, 1);
            matrix *rhs = copy_matrix(b);
            reduce(work, b);
            print("solution", b);
            matrix *p = multiply(a, b);
            printf("residual %s\n", distance(p, rhs) < 1e-9 ? "small" : "large");
            free(p);
            free(rhs);
        } else {
            printf("unknown request %s\n", what);
            free(a);
            continue;
        }
        free(a);
        free(work);
        free(b);
    }
    matrix *h = new_matrix(5, 5), *hw, *hi = identity(5);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            E(h, i, j) = 1.0 / (i + j + 1);
    hw = copy_matrix(h);
    double det = reduce(hw, hi);
    printf("hilbert det %.3e corner %.1f\n", det, round(E(hi, 4, 4)));
    free(h);
    free(hw);
    free(hi);
    return singular;
}
