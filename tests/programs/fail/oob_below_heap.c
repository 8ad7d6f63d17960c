#include <stdlib.h>

int main(void)
{
    long *p = malloc(4 * sizeof *p);
    if (!p)
        return 1;
    for (int i = 3; i >= -1; i--)
        p[i] = i; //~ out-of-bounds-below
    free(p);
    return 0;
}
