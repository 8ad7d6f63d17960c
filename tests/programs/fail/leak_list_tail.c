// flags: --property leaks
#include <stdlib.h>

struct node { struct node *next; };

static struct node *make(struct node *next)
{
    struct node *n = malloc(sizeof *n); //~ leak
    if (n)
        n->next = next;
    return n;
}

int main(void)
{
    struct node *l = make(make(NULL));
    free(l);
    l = NULL;
    return 0;
}
