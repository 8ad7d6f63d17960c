#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reverse, numeric;
static int cmp(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int r;
    if (numeric) {
        double dx = strtod(x, NULL), dy = strtod(y, NULL);
        r = (dx > dy) - (dx < dy);
        if (!r)
            r = strcmp(x, y);
    } else
        r = strcmp(x, y);
    return reverse ? -r : r;
}
static void dump(char **v, size_t n, const char *title)
{
    printf("== %s\n", title);
    for (size_t i = 0; i < n; i++)
        printf("%s\n", v[i]);
}
int main(void)
{
    char buf[100], **v = NULL;
    size_t n = 0, cap = 0;
    while (fgets(buf, sizeof buf, stdin)) {
        buf[strcspn(buf, "\n")] = 0;
        if (n == cap) {
            cap = cap ? cap * 2 : 2;
            v = realloc(v, cap * sizeof *v);
            if (!v) return 1;
        }
        v[n++] = strdup(buf);
    }
    qsort(v, n, sizeof *v, cmp);
    dump(v, n, "plain");
    reverse = 1;
    qsort(v, n, sizeof *v, cmp);
    dump(v, n, "reverse");
    reverse = 0;
    numeric = 1;
    qsort(v, n, sizeof *v, cmp);
    dump(v, n, "numeric");
    for (size_t i = 0; i < n; i++)
        free(v[i]);
    free(v);
    return 0;
}
