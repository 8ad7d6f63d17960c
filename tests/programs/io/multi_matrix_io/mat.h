#ifndef MAT_H
#define MAT_H
#define MAXN 6
typedef struct { int rows, cols, v[MAXN][MAXN]; } matrix;
int read_matrix(matrix *);
int multiply(const matrix *, const matrix *, matrix *);
matrix identity(int);
int equal(const matrix *, const matrix *);
void print_matrix(const matrix *);
#endif
