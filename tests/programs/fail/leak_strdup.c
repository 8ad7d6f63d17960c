// flags: --property leaks
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { char *name; };

int main(void)
{
    struct person *p = malloc(sizeof *p);
    if (!p)
        return 1;
    p->name = strdup("someone"); //~ leak
    if (p->name)
        puts(p->name);
    free(p);
    p = NULL;
    return 0;
}
