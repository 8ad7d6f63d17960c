#include <stdio.h>
#include <string.h>

static void fill(int n, int m, int a[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = (i + 1) * (j + 1);
}
static long sum(int n, int m, int (*a)[m])
{
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}
static int diag(int n, int a[static n][n])
{
    int d = 0;
    for (int i = 0; i < n; i++)
        d += a[i][n - 1 - i];
    return d;
}
int main(void)
{
    int n;
    while (scanf("%d", &n) == 1) {
        int a[n][n + 2];
        fill(n, n + 2, a);
        printf("%d: %zu %zu sum %ld", n, sizeof a, sizeof a[0], sum(n, n + 2, a));
        int sq[n][n];
        fill(n, n, sq);
        printf(" diag %d", diag(n, sq));
        char text[n * 2 + 1];
        memset(text, '*', sizeof text);
        text[sizeof text - 1] = 0;
        printf(" %s", text);
        int len = n++;
        int row[len];
        for (int i = 0; i < len; i++)
            row[i] = i ? row[i - 1] + n : n;
        printf(" last %d size %zu\n", row[len - 1], sizeof row / sizeof *row);
    }
    return 0;
}
