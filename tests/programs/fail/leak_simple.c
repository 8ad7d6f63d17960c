// flags: --property leaks
#include <stdlib.h>

int main(void)
{
    int *p = malloc(10 * sizeof *p); //~ leak
    if (!p)
        return 1;
    p[0] = 1;
    p = NULL;
    return 0;
}
