#include <stdio.h>
#include <stddef.h>

struct node { int v; struct node *next; };

static int third(struct node *n)
{
    n = n->next;
    n = n->next;
    return n->v; //~ null-dereference
}

int main(void)
{
    struct node b = { 2, NULL }, a = { 1, &b };
    printf("%d\n", third(&a));
    return 0;
}
