#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *it = malloc(sizeof *it);
    if (!it)
        abort();
    it->value = value;
    it->next = list;
    return it;
}

static int position(struct node *list, int value)
{
    int count = 0;
    while (list->value != value) { //~ null-dereference
        list = list->next;
        count++;
    }
    return count;
}

int main(void)
{
    struct node *list = NULL;
    int pushed = 0;
    for (int i = 1; i <= 2; i++) {
        list = push(list, 10 * i);
        pushed++;
    }
    int wanted = __VERIFIER_nondet_int();
    return wanted == -1 ? position(list, wanted) : pushed;
}
