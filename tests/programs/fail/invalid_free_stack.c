#include <stdlib.h>

static void release(void *p)
{
    free(p); //~ invalid-free
}

int main(void)
{
    int *heap = malloc(sizeof *heap);
    int local = 3;
    void *p = &local;
    release(heap);
    release(p);
    return local;
}
