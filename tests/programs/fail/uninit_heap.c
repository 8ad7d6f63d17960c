#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *v = malloc(4 * sizeof *v);
    if (!v)
        return 1;
    v[0] = v[1] = v[3] = 7;
    for (int i = 0; i < 4; i++)
        if (v[i] != 7) //~ uninitialized
            puts("odd");
    free(v);
    return 0;
}
