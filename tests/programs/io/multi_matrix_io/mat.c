#include <stdio.h>
#include <string.h>
#include "mat.h"

int read_matrix(matrix *m)
{
    if (scanf("%d%d", &m->rows, &m->cols) != 2 || m->rows > MAXN || m->cols > MAXN) return 1;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            if (scanf("%d", &m->v[i][j]) != 1) return 1;
    return 0;
}
int multiply(const matrix *a, const matrix *b, matrix *r)
{
    if (a->cols != b->rows) return 1;
    r->rows = a->rows;
    r->cols = b->cols;
    for (int i = 0; i < r->rows; i++)
        for (int j = 0; j < r->cols; j++) {
            r->v[i][j] = 0;
            for (int k = 0; k < a->cols; k++) r->v[i][j] += a->v[i][k] * b->v[k][j];
        }
    return 0;
}
matrix identity(int n)
{
    matrix m = { n, n };
    for (int i = 0; i < n; i++) m.v[i][i] = 1;
    return m;
}
int equal(const matrix *a, const matrix *b)
{
    if (a->rows != b->rows || a->cols != b->cols) return 0;
    for (int i = 0; i < a->rows; i++)
        if (memcmp(a->v[i], b->v[i], a->cols * sizeof(int))) return 0;
    return 1;
}
void print_matrix(const matrix *m)
{
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            printf("%d%c", m->v[i][j], j + 1 < m->cols ? '\t' : '\n');
}
