// flags: --property leaks
// stdin: 12 x\n
#include <stdio.h>
#include <stdlib.h>

static int load(void)
{
    int *v = calloc(2, sizeof *v); //~ leak
    if (!v)
        return -1;
    for (int i = 0; i < 2; i++)
        if (scanf("%d", &v[i]) != 1)
            return -2;
    free(v);
    return 0;
}

int main(void)
{
    int rc = load();
    printf("%d\n", rc);
    return 0;
}
