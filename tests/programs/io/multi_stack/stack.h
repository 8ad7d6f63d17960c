#ifndef STACK_H
#define STACK_H
#include <stddef.h>
struct stack;
extern int stack_pushes;
struct stack *stack_new(void);
void stack_push(struct stack *, int);
int stack_pop(struct stack *, int *);
size_t stack_depth(const struct stack *);
size_t stack_peak(const struct stack *);
void stack_free(struct stack *);
#endif
