#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flex { int n; short tail; char data[]; };

int main(void)
{
    struct flex *f = malloc(sizeof *f + 10);
    if (!f)
        return 1;
    f->n = 10;
    for (int i = 0; i < f->n; i++)
        f->data[i] = (char)('a' + i);
    struct flex *g = malloc(sizeof *g + f->n);
    if (!g)
        return 1;
    *g = *f;
    memcpy(g->data, f->data, f->n);
    printf("%.*s %d\n", g->n, g->data, f->data[9] == g->data[9]);
    free(f);
    free(g);
    return 0;
}
