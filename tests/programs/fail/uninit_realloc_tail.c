#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *v = calloc(2, sizeof *v);
    if (!v)
        return 1;
    v = realloc(v, 4 * sizeof *v);
    if (!v)
        return 1;
    int zeros = 0;
    for (int i = 0; i < 4; i++)
        if (v[i] == 0) //~ uninitialized
            zeros++;
    printf("%d\n", zeros);
    free(v);
    return 0;
}
