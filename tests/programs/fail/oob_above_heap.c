#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 5;
    int *p = malloc(n * sizeof *p);
    if (!p)
        return 1;
    for (int i = 0; i < n; i++)
        p[i] = i;
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += p[i]; //~ out-of-bounds-above
    printf("%d\n", sum);
    free(p);
    return 0;
}
