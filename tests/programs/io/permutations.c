#include <stdio.h>
#include <string.h>

static int count;
static void permute(char *s, int k, int n)
{
    if (k == n) {
        if (count++ % 7 == 0)
            printf("%s ", s);
        return;
    }
    for (int i = k; i < n; i++) {
        char t = s[k]; s[k] = s[i]; s[i] = t;
        permute(s, k + 1, n);
        t = s[k]; s[k] = s[i]; s[i] = t;
    }
}
static int next(char *s, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && s[i] >= s[i + 1]) i--;
    if (i < 0) return 0;
    while (s[j] <= s[i]) j--;
    char t = s[i]; s[i] = s[j]; s[j] = t;
    for (i++, j = n - 1; i < j; i++, j--) { t = s[i]; s[i] = s[j]; s[j] = t; }
    return 1;
}
static void combos(int n, int k)
{
    for (unsigned m = 0; m < 1u << n; m++)
        if (__builtin_popcount(m) == k) {
            for (int i = 0; i < n; i++)
                if (m >> i & 1) putchar('a' + i);
            putchar(' ');
        }
    putchar('\n');
}
int main(void)
{
    char s[] = "abcde", t[] = "aabb";
    permute(s, 0, 5);
    printf("\n%d %s\n", count, s);
    do
        printf("%s ", t);
    while (next(t, 4));
    putchar('\n');
    combos(5, 3);
    return 0;
}
