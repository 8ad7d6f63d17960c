#include <stdlib.h>

int main(void)
{
    int *a = malloc(4 * sizeof *a);
    if (!a)
        return 1;
    int *b = realloc(a, 400000 * sizeof *a);
    if (!b)
        return 1;
    b[0] = 1;
    free(b);
    free(a); //~ double-free
    return 0;
}
