#include <string.h>
#include <stdlib.h>

struct buf { unsigned len; char data[20]; };

int main(void)
{
    struct buf *b = malloc(sizeof *b);
    if (!b)
        return 1;
    memset(b, 0, sizeof *b);
    memset(b->data, '-', sizeof *b); //~ out-of-bounds-above
    free(b);
    return 0;
}
