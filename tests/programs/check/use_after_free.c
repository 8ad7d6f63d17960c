#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    char *name = malloc(8);
    if (!name)
        return 1;
    strcpy(name, "fault");
    if (__VERIFIER_nondet_bool())
        free(name);
    return name[0]; //~ use-after-free
}
