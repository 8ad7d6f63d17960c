/*
 * A stack of numbers as a linked list, and a calculator for sums in reverse
 * Polish notation: 3 4 + 5 + is 12.
 *
 *     faultline explain examples/stack.c -- 3 4 + +
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int value;
    struct item *below;
};

static struct item *top;

static void push(int value)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        exit(2);
    item->value = value;
    item->below = top;
    top = item;
}

static int pop(void)
{
    struct item *item = top;
    int value = item->value; // fault: missing null check, the stack may be empty
    top = item->below;
    free(item);
    return value;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "+") == 0) {
            int right = pop(), left = pop();
            push(left + right);
        } else {
            push(atoi(argv[i]));
        }
    }
    printf("%d\n", pop());
    while (top)
        pop();
    return 0;
}
