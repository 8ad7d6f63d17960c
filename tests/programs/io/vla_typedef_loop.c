#include <stdio.h>
#include <stdlib.h>

static double det(int n, double m[n][n])
{
    if (n == 1)
        return m[0][0];
    double total = 0;
    for (int c = 0; c < n; c++) {
        double minor[n - 1][n - 1];
        for (int i = 1; i < n; i++)
            for (int j = 0, k = 0; j < n; j++)
                if (j != c)
                    minor[i - 1][k++] = m[i][j];
        total += (c % 2 ? -1 : 1) * m[0][c] * det(n - 1, minor);
    }
    return total;
}
int main(void)
{
    for (int n = 1; n <= 5; n++) {
        typedef double mat[n][n];
        mat *m = malloc(sizeof(mat));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                (*m)[i][j] = i == j ? n : 1.0 / (i + j + 1);
        printf("%d %zu %.6f\n", n, sizeof *m / sizeof(double), det(n, *m));
        free(m);
    }
    int k = 3;
    int (*p)[k] = malloc(sizeof(int[2][k]));
    for (int i = 0; i < 2 * k; i++)
        p[i / k][i % k] = i;
    int *q = p[1];
    printf("%d %d %zu\n", q[2], (*p)[1], sizeof *p);
    free(p);
    int total = 0;
    for (int i = 1; i < 40; i++) {
        if (i % 3 == 0) continue;
        char buf[i];
        for (int j = 0; j < i; j++) buf[j] = j;
        total += buf[i - 1];
        if (i > 30) goto done;
    }
done:
    printf("%d\n", total);
    return 0;
}
