#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static char *add(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), n = (la > lb ? la : lb) + 1;
    char *r = malloc(n + 1);
    r[n] = 0;
    int c = 0;
    for (size_t i = 0; i < n; i++) {
        if (i < la) c += a[la - 1 - i] - '0';
        if (i < lb) c += b[lb - 1 - i] - '0';
        r[n - 1 - i] = '0' + c % 10;
        c /= 10;
    }
    if (*r == '0' && n > 1) memmove(r, r + 1, n);
    return r;
}
static char *mul(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    int acc[la + lb];
    memset(acc, 0, sizeof acc);
    for (size_t i = la; i-- > 0;)
        for (size_t j = lb; j-- > 0;)
            acc[i + j + 1] += (a[i] - '0') * (b[j] - '0');
    for (size_t k = la + lb; k-- > 1;) {
        acc[k - 1] += acc[k] / 10;
        acc[k] %= 10;
    }
    char *r = malloc(la + lb + 1), *w = r;
    size_t k = 0;
    while (k < la + lb - 1 && !acc[k]) k++;
    for (; k < la + lb; k++) *w++ = '0' + acc[k];
    *w = 0;
    return r;
}
int main(void)
{
    char a[64], op, b[64];
    while (scanf("%63[0-9] %c %63[0-9] ", a, &op, b) == 3) {
        char *r = op == '+' ? add(a, b) : mul(a, b);
        printf("%s %c %s = %s\n", a, op, b, r);
        free(r);
    }
    char *p = strdup("1");
    for (int i = 0; i < 100; i++) {
        char *q = add(p, p);
        free(p);
        p = q;
    }
    puts(p);
    free(p);
    return 0;
}
