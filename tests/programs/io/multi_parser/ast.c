#include <stdio.h>
#include <stdlib.h>
#include "ast.h"

void ast_print(const struct ast *t)
{
    if (t->op == 'n') { printf("%ld", t->value); return; }
    printf("(%c ", t->op);
    ast_print(t->kid[0]);
    if (t->kid[1]) { putchar(' '); ast_print(t->kid[1]); }
    putchar(')');
}
long ast_eval(const struct ast *t)
{
    if (t->op == 'n') return t->value;
    long a = ast_eval(t->kid[0]), b = t->kid[1] ? ast_eval(t->kid[1]) : 0;
    switch (t->op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return b ? a / b : 0;
    default: return -a;
    }
}
int ast_depth(const struct ast *t)
{
    if (!t) return 0;
    int a = ast_depth(t->kid[0]), b = ast_depth(t->kid[1]);
    return (a > b ? a : b) + 1;
}
void ast_free(struct ast *t)
{
    if (!t) return;
    ast_free(t->kid[0]);
    ast_free(t->kid[1]);
    free(t);
}
