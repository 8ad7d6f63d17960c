#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *raw = calloc(6, 1);
    if (!raw)
        return 1;
    int *words = (int *)raw;
    printf("%d\n", words[0]);
    printf("%d\n", words[1]); //~ out-of-bounds-above
    free(raw);
    return 0;
}
