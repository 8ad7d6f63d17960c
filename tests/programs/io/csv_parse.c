#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int split(char *s, char **f, int max)
{
    int n = 0;
    for (;;) {
        char *w;
        if (n < max)
            f[n++] = w = s;
        else
            return n;
        if (*s == '"') {
            s++;
            while (*s) {
                if (*s == '"' && s[1] == '"')
                    *w++ = '"', s += 2;
                else if (*s == '"') {
                    s++;
                    break;
                } else
                    *w++ = *s++;
            }
        } else
            while (*s && *s != ',')
                *w++ = *s++;
        int more = *s == ',';
        if (*s) s++;
        *w = 0;
        if (!more)
            return n;
    }
}
int main(void)
{
    char line[200], *f[8];
    double sums[8] = { 0 };
    for (int row = 0; fgets(line, sizeof line, stdin); row++) {
        line[strcspn(line, "\r\n")] = 0;
        int n = split(line, f, 8);
        printf("%d:", n);
        for (int i = 0; i < n; i++) {
            printf(" <%s>", f[i]);
            char *e;
            double v = strtod(f[i], &e);
            if (e != f[i] && !*e)
                sums[i] += v;
        }
        putchar('\n');
    }
    for (int i = 0; i < 4; i++)
        printf("%.2f ", sums[i]);
    putchar('\n');
    return 0;
}
