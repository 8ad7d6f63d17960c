#include <stdio.h>
#include "stack.h"

int main(void)
{
    struct stack *s = stack_new();
    int v;
    while (scanf("%d", &v) == 1)
        if (v >= 0)
            stack_push(s, v);
        else
            while (v++ < 0 && stack_pop(s, &(int){ 0 }))
                ;
    printf("depth %zu peak %zu pushes %d\n", stack_depth(s), stack_peak(s), stack_pushes);
    while (stack_pop(s, &v))
        printf("%d ", v);
    putchar('\n');
    stack_free(s);
    return 0;
}
