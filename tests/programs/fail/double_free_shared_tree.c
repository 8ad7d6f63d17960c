#include <stdlib.h>

struct tree { struct tree *l, *r; };

static struct tree *leaf(void) { return calloc(1, sizeof(struct tree)); }
static void drop(struct tree *t)
{
    if (!t)
        return;
    struct tree *l = t->l, *r = t->r;
    t->l = t->r = NULL;
    free(l);
    free(r); //~ double-free
    free(t);
}

int main(void)
{
    struct tree *t = leaf(), *shared = leaf();
    if (!t || !shared)
        return 1;
    t->l = shared;
    t->r = shared;
    drop(t);
    return 0;
}
