#include <stdlib.h>
#include "stack.h"

struct stack { int *v; size_t n, cap, peak; };
int stack_pushes;

struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }
void stack_push(struct stack *s, int v)
{
    if (s->n == s->cap)
        s->v = realloc(s->v, (s->cap = s->cap * 2 + 1) * sizeof *s->v);
    s->v[s->n++] = v;
    if (s->n > s->peak)
        s->peak = s->n;
    stack_pushes++;
}
int stack_pop(struct stack *s, int *out) { return s->n ? *out = s->v[--s->n], 1 : 0; }
size_t stack_depth(const struct stack *s) { return s->n; }
size_t stack_peak(const struct stack *s) { return s->peak; }
void stack_free(struct stack *s) { free(s->v); free(s); }
