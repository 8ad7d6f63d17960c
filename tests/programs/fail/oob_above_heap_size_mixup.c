#include <stdlib.h>

struct node { int key; struct node *next; };

int main(void)
{
    struct node *n = malloc(sizeof(n));
    if (!n)
        return 1;
    n->key = 1;
    n->next = NULL; //~ out-of-bounds-above
    free(n);
    return 0;
}
