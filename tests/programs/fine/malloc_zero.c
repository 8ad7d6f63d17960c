#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    void *z = malloc(0);
    free(z);
    int *v = NULL;
    size_t n = 0;
    for (size_t i = 0; i < n; i++)
        v[i] = 1;
    free(v);
    int *c = calloc(0, sizeof *c);
    free(c);
    v = malloc(sizeof *v);
    if (!v)
        return 1;
    *v = 3;
    printf("%d\n", *v);
    free(v);
    return 0;
}
