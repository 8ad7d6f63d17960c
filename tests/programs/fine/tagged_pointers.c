#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

typedef uintptr_t value;
struct cell { value car, cdr; };

static value num(int n) { return (uintptr_t)(intptr_t)n << 1 | 1; }
static int is_num(value v) { return v & 1; }
static int to_num(value v) { return (int)((intptr_t)v >> 1); }
static value cons(value a, value b)
{
    struct cell *c = malloc(sizeof *c);
    if (!c)
        exit(1);
    c->car = a;
    c->cdr = b;
    return (value)c | 2;
}
static struct cell *cell(value v) { return (struct cell *)(v & ~(value)3); }
static int sum(value v) { return is_num(v) ? to_num(v) : v ? sum(cell(v)->car) + sum(cell(v)->cdr) : 0; }
static void drop(value v)
{
    if (!v || is_num(v))
        return;
    drop(cell(v)->car);
    drop(cell(v)->cdr);
    free(cell(v));
}
int main(void)
{
    value l = 0;
    for (int i = -3; i < 8; i++)
        l = cons(num(i), l);
    l = cons(l, cons(num(1000), 0));
    printf("%d\n", sum(l));
    drop(l);
    return 0;
}
