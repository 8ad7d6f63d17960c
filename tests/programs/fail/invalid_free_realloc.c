#include <stdlib.h>

int main(void)
{
    int fixed[4] = { 1, 2, 3, 4 };
    int *v = fixed;
    v = realloc(v, 8 * sizeof *v); //~ invalid-free
    free(v);
    return 0;
}
