#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct msg { int len; char body[0]; };
struct empty { };
struct holder { int a; struct empty e; int b; };

static struct empty pass(struct empty e, int *n) { ++*n; return e; }

int main(void)
{
    struct msg *m = malloc(sizeof *m + 12);
    m->len = 11;
    memcpy(m->body, "zero length", 12);
    printf("%zu %d %s\n", sizeof *m, m->len, m->body);
    free(m);
    struct holder h = { 1, {}, 2 };
    struct empty e = {};
    int n = 0;
    e = pass(e, &n);
    h.e = pass(h.e, &n);
    printf("%zu %zu %d %d %d\n", sizeof e, sizeof h, h.a, h.b, n);
    int none[0];
    printf("%zu\n", sizeof none);
    int all[] = {};
    printf("%zu\n", sizeof all);
    struct { int x; } z = {};
    printf("%d\n", z.x);
    return 0;
}
