// flags: --no-property uninitialized
// What memory holds before it is written is an input: a local array, a struct, the heap.
#include <assert.h>
#include <stdlib.h>

struct pair {
    char tag;
    int count;
};

int main(void)
{
    char name[4];
    struct pair pair, copy;
    int *heap = malloc(3 * sizeof *heap);
    name[3] = 0;
    copy = pair;
    if (name[0] == 'a' && name[1] == 'b' && copy.tag == 'x' && heap[2] == 1000)
        assert(copy.count != 77); //~ assert
    free(heap);
    return 0;
}
