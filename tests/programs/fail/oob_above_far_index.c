#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(3 * sizeof *a);
    int *b = malloc(3 * sizeof *b);
    if (!a || !b)
        return 1;
    a[0] = 1;
    b[0] = 7;
    long far = 1L << 30;
    printf("%d\n", a[far]); //~ out-of-bounds-above
    return 0;
}
