#include <stdio.h>
#include <stdlib.h>

typedef void visit(int value, void *ctx);
struct tree { int v; struct tree *l, *r; };

static struct tree *insert(struct tree *t, int v)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->v = v;
        t->l = t->r = NULL;
    } else if (v < t->v)
        t->l = insert(t->l, v);
    else
        t->r = insert(t->r, v);
    return t;
}
static void each(struct tree *t, visit *f, void *ctx)
{
    if (!t) return;
    each(t->l, f, ctx);
    f(t->v, ctx);
    each(t->r, f, ctx);
}
static void drop(struct tree *t) { if (t) { drop(t->l); drop(t->r); free(t); } }
static int depth(struct tree *t)
{
    if (!t) return 0;
    int l = depth(t->l), r = depth(t->r);
    return 1 + (l > r ? l : r);
}
static void print(int v, void *ctx) { printf("%s%d", (const char *)ctx, v); }
static void total(int v, void *ctx) { *(long *)ctx += v; }
struct range { int lo, hi, n; };
static void count(int v, void *ctx)
{
    struct range *r = ctx;
    r->n += v >= r->lo && v <= r->hi;
}
int main(void)
{
    struct tree *t = NULL;
    int v;
    while (scanf("%d", &v) == 1)
        t = insert(t, v);
    each(t, print, ", ");
    putchar('\n');
    long s = 0;
    each(t, total, &s);
    struct range r = { 10, 50, 0 };
    each(t, count, &r);
    printf("sum %ld in range %d depth %d\n", s, r.n, depth(t));
    drop(t);
    return 0;
}
