#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **split(const char *s, char sep, size_t *count)
{
    size_t n = 1;
    for (const char *p = s; *p; p++)
        n += *p == sep;
    char **v = calloc(n + 1, sizeof *v);
    for (size_t i = 0; i < n; i++) {
        const char *e = strchr(s, sep);
        size_t len = e ? (size_t)(e - s) : strlen(s);
        v[i] = strndup(s, len);
        s += len + 1;
        if (!e) break;
    }
    *count = n;
    return v;
}
static char *join(char **v, const char *sep)
{
    size_t len = 1;
    for (char **p = v; *p; p++)
        len += strlen(*p) + (p[1] ? strlen(sep) : 0);
    char *r = malloc(len), *w = r;
    *r = 0;
    for (char **p = v; *p; p++) {
        w = stpcpy(w, *p);
        if (p[1])
            w = stpcpy(w, sep);
    }
    return r;
}
int main(void)
{
    const char *tests[] = { "a,b,c", "", ",", "one", "x,,y,", "alpha,beta,gamma,delta" };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        size_t n;
        char **v = split(tests[i], ',', &n);
        char *j = join(v, " | ");
        printf("%zu [%s]\n", n, j);
        free(j);
        for (size_t k = 0; k < n; k++)
            free(v[k]);
        free(v);
    }
    return 0;
}
