#include <string.h>
#include <stdlib.h>

struct header { int size; };

int main(void)
{
    char *block = malloc(16);
    if (!block)
        return 1;
    struct header h;
    memcpy(&h, block - sizeof h, sizeof h); //~ out-of-bounds-below
    free(block);
    return h.size & 1;
}
