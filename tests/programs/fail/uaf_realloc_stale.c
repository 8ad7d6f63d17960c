#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *v = malloc(2 * sizeof *v);
    if (!v)
        return 1;
    v[0] = 1;
    v[1] = 2;
    int *first = &v[0];
    int *bigger = realloc(v, 100000 * sizeof *v);
    if (!bigger)
        return 1;
    bigger[99999] = 3;
    *first = 10; //~ use-after-free
    printf("%d\n", bigger[0]);
    free(bigger);
    return 0;
}
