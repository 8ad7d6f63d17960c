#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

struct n { int v; struct n *l, *r; };

static struct n *parse(void)
{
    int c;
    while (isspace(c = getchar())) ;
    if (c != '(') return NULL;
    struct n *t = malloc(sizeof *t);
    if (scanf("%d", &t->v) != 1) exit(1);
    t->l = parse();
    t->r = parse();
    while ((c = getchar()) != ')')
        if (c == EOF) exit(2);
    return t;
}
static void pre(struct n *t) { if (t) { printf("%d ", t->v); pre(t->l); pre(t->r); } }
static void in(struct n *t) { if (t) { in(t->l); printf("%d ", t->v); in(t->r); } }
static void post(struct n *t) { if (t) { post(t->l); post(t->r); printf("%d ", t->v); } }
static void level(struct n *t)
{
    struct n *q[32];
    int h = 0, e = 0;
    if (t) q[e++] = t;
    while (h < e) {
        t = q[h++];
        printf("%d ", t->v);
        if (t->l) q[e++] = t->l;
        if (t->r) q[e++] = t->r;
    }
}
static struct n *mirror(struct n *t)
{
    if (t) { struct n *x = mirror(t->l); t->l = mirror(t->r); t->r = x; }
    return t;
}
static int sum(struct n *t) { return t ? t->v + sum(t->l) + sum(t->r) : 0; }
static void drop(struct n *t) { if (t) { drop(t->l); drop(t->r); free(t); } }

int main(void)
{
    struct n *t = parse();
    void (*walks[])(struct n *) = { pre, in, post, level };
    for (int round = 0; round < 2; round++, mirror(t))
        for (int i = 0; i < 4; i++) { walks[i](t); putchar('\n'); }
    printf("%d\n", sum(t));
    drop(t);
    return 0;
}
