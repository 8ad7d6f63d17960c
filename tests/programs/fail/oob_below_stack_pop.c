#include <stdio.h>

static int stack[8];
static int top;

static void push(int v) { stack[top++] = v; }
static int pop(void)
{
    return stack[--top]; //~ array-index
}

int main(void)
{
    push(1);
    push(2);
    printf("%d\n", pop() + pop());
    printf("%d\n", pop());
    return 0;
}
