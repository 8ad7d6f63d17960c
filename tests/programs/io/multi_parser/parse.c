#include <stdlib.h>
#include <ctype.h>
#include "ast.h"

static const char *p;
static struct ast *sum(void);

static struct ast *node(char op, struct ast *l, struct ast *r, long v)
{
    struct ast *t = malloc(sizeof *t);
    *t = (struct ast){ op, v, { l, r } };
    return t;
}
static char peek(void) { while (*p == ' ') p++; return *p; }
static struct ast *atom(void)
{
    if (isdigit((unsigned char)peek())) {
        char *e;
        long v = strtol(p, &e, 10);
        p = e;
        return node('n', NULL, NULL, v);
    }
    if (*p == '-') { p++; struct ast *k = atom(); return k ? node('_', k, NULL, 0) : NULL; }
    if (*p != '(') return NULL;
    p++;
    struct ast *t = sum();
    if (t && peek() == ')') { p++; return t; }
    ast_free(t);
    return NULL;
}
static struct ast *chain(struct ast *(*sub)(void), char a, char b)
{
    struct ast *l = sub();
    while (l && (peek() == a || *p == b)) {
        char op = *p++;
        struct ast *r = sub();
        if (!r) { ast_free(l); return NULL; }
        l = node(op, l, r, 0);
    }
    return l;
}
static struct ast *product(void) { return chain(atom, '*', '/'); }
static struct ast *sum(void) { return chain(product, '+', '-'); }
struct ast *parse(const char *s)
{
    p = s;
    struct ast *t = sum();
    if (t && peek()) { ast_free(t); return NULL; }
    return t;
}
