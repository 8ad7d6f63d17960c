#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { char sorted[16], word[16]; };
static int cmp_char(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int cmp_entry(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int c = strcmp(x->sorted, y->sorted);
    return c ? c : strcmp(x->word, y->word);
}
int main(void)
{
    struct entry *v = NULL;
    size_t n = 0, cap = 0;
    char w[16];
    while (scanf("%15s", w) == 1) {
        if (n == cap) {
            cap += 4;
            v = realloc(v, cap * sizeof *v);
            if (!v)
                return 1;
        }
        strcpy(v[n].word, w);
        strcpy(v[n].sorted, w);
        qsort(v[n].sorted, strlen(w), 1, cmp_char);
        n++;
    }
    qsort(v, n, sizeof *v, cmp_entry);
    int groups = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && !strcmp(v[i].sorted, v[j].sorted); j++)
            ;
        if (j - i > 1) {
            groups++;
            for (size_t k = i; k < j; k++)
                printf("%s%c", v[k].word, k + 1 < j ? ' ' : '\n');
        }
    }
    printf("%d groups of %zu words\n", groups, n);
    free(v);
    return 0;
}
