#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hack { size_t n; int item[1]; };

int main(void)
{
    size_t n = 6;
    struct hack *h = malloc(sizeof *h + (n - 1) * sizeof(int));
    if (!h)
        return 1;
    h->n = n;
    int *p = h->item;
    for (size_t i = 0; i < n; i++)
        h->item[i] = (int)(i * i);
    int s = 0;
    for (size_t i = 0; i < h->n; i++)
        s += h->item[i];
    printf("%d %d\n", s, p[5]);
    free(h);
    return 0;
}
