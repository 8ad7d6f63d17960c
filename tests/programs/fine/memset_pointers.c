#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct node { struct node *kid[2]; double w; int (*f)(int); };

int main(void)
{
    struct node n, *heap = calloc(3, sizeof *heap);
    memset(&n, 0, sizeof n);
    printf("%d %d %g %d\n", n.kid[0] == NULL, !n.kid[1], n.w, n.f == NULL);
    if (!heap)
        return 1;
    heap[0].kid[0] = &heap[1];
    heap[0].kid[1] = &heap[2];
    int count = 0;
    for (int i = 0; i < 2; i++)
        if (heap[0].kid[i] && !heap[0].kid[i]->kid[i])
            count++;
    printf("%d\n", count);
    free(heap);
    int all[8];
    memset(all, -1, sizeof all);
    printf("%d %d\n", all[0], all[7]);
    return 0;
}
