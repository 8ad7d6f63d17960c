#include <stdio.h>

struct opts { int verbose; int level; };

static void init(struct opts *o, int argc)
{
    o->verbose = 1;
    if (argc > 1)
        o->level = argc;
}

int main(int argc, char **argv)
{
    struct opts o;
    init(&o, argc);
    if (o.verbose)
        puts("verbose");
    while (o.level > 0) //~ uninitialized
        o.level--;
    return 0;
}
