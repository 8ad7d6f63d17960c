#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *v = malloc(100 * sizeof *v);
    if (!v)
        return 1;
    for (int i = 0; i < 100; i++)
        v[i] = i;
    v = realloc(v, 10 * sizeof *v);
    if (!v)
        return 1;
    printf("%d\n", v[9]);
    v = realloc(v, 1000 * sizeof *v);
    if (!v)
        return 1;
    for (int i = 10; i < 1000; i++)
        v[i] = -1;
    int s = 0;
    for (int i = 0; i < 1000; i++)
        s += v[i];
    printf("%d\n", s);
    free(v);
    return 0;
}
