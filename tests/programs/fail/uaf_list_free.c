#include <stdlib.h>

struct node { int v; struct node *next; };

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        n->v = i;
        n->next = head;
        head = n;
    }
    for (struct node *n = head; n; n = n->next) //~ use-after-free
        free(n);
    return 0;
}
