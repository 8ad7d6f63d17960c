#include <stdio.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int distance(const char *a, const char *b)
{
    int n = strlen(a), m = strlen(b);
    int d[n + 1][m + 1];
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            if (!i || !j)
                d[i][j] = i + j;
            else {
                int best = MIN(d[i - 1][j], d[i][j - 1]) + 1;
                d[i][j] = MIN(best, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            }
    return d[n][m];
}
static void lcs(const char *a, const char *b, char *out)
{
    int n = strlen(a), m = strlen(b);
    unsigned char t[32][32] = { { 0 } };
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--)
            t[i][j] = a[i] == b[j] ? 1 + t[i + 1][j + 1] : t[i + 1][j] > t[i][j + 1] ? t[i + 1][j] : t[i][j + 1];
    for (int i = 0, j = 0; i < n && j < m;)
        if (a[i] == b[j]) { *out++ = a[i]; i++; j++; }
        else if (t[i + 1][j] >= t[i][j + 1]) i++;
        else j++;
    *out = 0;
}
int main(void)
{
    char a[31], b[31], l[32];
    while (scanf("%30s %30s", a, b) == 2) {
        lcs(a, b, l);
        printf("%s %s distance %d lcs %s\n", a, b, distance(a, b), l);
    }
    return 0;
}
