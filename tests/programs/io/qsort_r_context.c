#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order { int column; int dir; long compares; };
static int cmp(const void *a, const void *b, void *ctx)
{
    struct order *o = ctx;
    const int (*x)[3] = a, (*y)[3] = b;
    o->compares++;
    int l = (*x)[o->column], r = (*y)[o->column];
    return o->dir * ((l > r) - (l < r));
}
static int plain(const void *a, const void *b) { return strcmp(a, b); }

int main(void)
{
    int rows[6][3];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++)
            rows[i][j] = (i * 5 + j * 3 + i * j * 2) % 17;
    for (int c = 0; c < 3; c++) {
        struct order o = { c, c % 2 ? -1 : 1, 0 };
        qsort_r(rows, 6, sizeof rows[0], cmp, &o);
        printf("by %d:", c);
        for (int i = 0; i < 6; i++)
            printf(" (%d %d %d)", rows[i][0], rows[i][1], rows[i][2]);
        printf(" %d\n", o.compares > 0);
    }
    char names[][8] = { "pear", "fig", "apple", "kiwi", "date" };
    qsort(names, 5, sizeof names[0], plain);
    for (int i = 0; i < 5; i++)
        printf("%s ", names[i]);
    putchar('\n');
    return 0;
}
