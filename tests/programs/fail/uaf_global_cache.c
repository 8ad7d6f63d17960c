#include <stdlib.h>

static int *cache;

static int *get(int n)
{
    if (!cache)
        cache = calloc(n, sizeof *cache);
    return cache;
}
static void reset(void)
{
    free(cache);
}

int main(void)
{
    int *a = get(4);
    if (!a)
        return 1;
    a[2] = 1;
    reset();
    return get(4)[2]; //~ use-after-free
}
