#include <stdlib.h>

static char fallback[64];
static char *get(size_t n) { return n > sizeof fallback ? malloc(n) : fallback; }

int main(void)
{
    char *a = get(100), *b = get(10);
    if (!a)
        return 1;
    a[0] = b[0] = 1;
    free(a);
    free(b); //~ invalid-free
    return 0;
}
