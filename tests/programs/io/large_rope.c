/* Strings as ropes: concatenation, splitting, insertion, deletion and balancing with shared leaves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rope {
    unsigned refs;
    size_t len;
    int depth;
    struct rope *left, *right;
    char text[];
};
static long live, created;

static struct rope *hold(struct rope *r)
{
    if (r)
        r->refs++;
    return r;
}
static void drop(struct rope *r)
{
    if (!r || --r->refs)
        return;
    drop(r->left);
    drop(r->right);
    live--;
    free(r);
}
static struct rope *leaf(const char *s, size_t n)
{
    if (!n)
        return NULL;
    struct rope *r = malloc(sizeof *r + n);
    if (!r)
        exit(1);
    *r = (struct rope){ .refs = 1, .len = n };
    memcpy(r->text, s, n);
    live++;
    created++;
    return r;
}
static size_t length(const struct rope *r) { return r ? r->len : 0; }

/* Takes ownership of both arguments. */
static struct rope *join(struct rope *a, struct rope *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    if (!a->left && !b->left && a->len + b->len <= 8) {
        char buf[8];
        memcpy(buf, a->text, a->len);
        memcpy(buf + a->len, b->text, b->len);
        struct rope *r = leaf(buf, a->len + b->len);
        drop(a);
        drop(b);
        return r;
    }
    struct rope *r = malloc(sizeof *r);
    if (!r)
        exit(1);
    *r = (struct rope){ 1, a->len + b->len, (a->depth > b->depth ? a->depth : b->depth) + 1, a, b };
    live++;
    created++;
    return r;
}
/* Borrows r; the halves are owned by the caller. */
static void split(struct rope *r, size_t at, struct rope **a, struct rope **b)
{
    if (!r) {
        *a = *b = NULL;
        return;
    }
    if (at >= r->len) {
        *a = hold(r);
        *b = NULL;
        return;
    }
    if (at == 0) {
        *a = NULL;
        *b = hold(r);
        return;
    }
    if (!r->left) {
        *a = leaf(r->text, at);
        *b = leaf(r->text + at, r->len - at);
        return;
    }
    struct rope *mid;
    if (at < r->left->len) {
        split(r->left, at, a, &mid);
        *b = join(mid, hold(r->right));
    } else {
        split(r->right, at - r->left->len, &mid, b);
        *a = join(hold(r->left), mid);
    }
}
static struct rope *insert(struct rope *r, size_t at, const char *s)
{
    struct rope *a, *b;
    split(r, at, &a, &b);
    drop(r);
    return join(join(a, leaf(s, strlen(s))), b);
}
static struct rope *erase(struct rope *r, size_t from, size_t n)
{
    struct rope *a, *b, *c, *d;
    split(r, from, &a, &b);
    split(b, n, &c, &d);
    drop(r);
    drop(b);
    drop(c);
    return join(a, d);
}
static char at(const struct rope *r, size_t i)
{
    while (r->left)
        if (i < r->left->len)
            r = r->left;
        else {
            i -= r->left->len;
            r = r->right;
        }
    return r->text[i];
}
static void each(struct rope *r, void (*f)(struct rope *, void *), void *ctx)
{
    if (!r)
        return;
    if (!r->left) {
        f(r, ctx);
        return;
    }
    each(r->left, f, ctx);
    each(r->right, f, ctx);
}
static void emit(struct rope *r, void *ctx) { fwrite(r->text, 1, r->len, ctx); }
struct gather { struct rope **v; size_t n, cap; };
static void collect(struct rope *r, void *ctx)
{
    struct gather *g = ctx;
    if (g->n == g->cap)
        g->v = realloc(g->v, (g->cap = g->cap * 2 + 4) * sizeof *g->v);
    g->v[g->n++] = hold(r);
}
static struct rope *build(struct rope **v, size_t n)
{
    return n == 0 ? NULL : n == 1 ? v[0] : join(build(v, n / 2), build(v + n / 2, n - n / 2));
}
static struct rope *balance(struct rope *r)
{
    struct gather g = { 0 };
    each(r, collect, &g);
    drop(r);
    r = build(g.v, g.n);
    free(g.v);
    return r;
}
static unsigned long hash(const struct rope *r)
{
    unsigned long h = 7;
    for (size_t i = 0; i < length(r); i++)
        h = h * 31 + (unsigned char)at(r, i);
    return h;
}
int main(void)
{
    struct rope *r = NULL;
    char op[8], arg[40];
    size_t a, b;
    while (scanf("%7s", op) == 1) {
        if (!strcmp(op, "ins") && scanf("%zu %39s", &a, arg) == 2) {
            for (char *p = arg; (p = strchr(p, '_'));)
                *p = ' ';
            r = insert(r, a, arg);
        } else if (!strcmp(op, "del") && scanf("%zu %zu", &a, &b) == 2)
            r = erase(r, a, b);
        else if (!strcmp(op, "dup"))
            r = join(r, hold(r));
        else if (!strcmp(op, "bal")) {
            int before = r ? r->depth : 0;
            r = balance(r);
            printf("depth %d -> %d\n", before, r ? r->depth : 0);
        } else if (!strcmp(op, "show")) {
            printf("%zu: ", length(r));
            each(r, emit, stdout);
            printf(" #%lx live %ld\n", hash(r), live);
        }
    }
    for (int i = 0; i < 60; i++) {
        char buf[8];
        sprintf(buf, "<%d>", i);
        r = insert(r, (size_t)i * 13 % (length(r) + 1), buf);
    }
    r = balance(r);
    printf("%zu depth %d live %ld created %ld\n", length(r), r->depth, live, created);
    each(r, emit, stdout);
    putchar('\n');
    drop(r);
    printf("live %ld\n", live);
    return (int)live;
}
