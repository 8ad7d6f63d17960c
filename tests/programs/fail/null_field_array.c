#include <stdlib.h>

struct shape { int n; double *pts; };

int main(void)
{
    struct shape *s = calloc(1, sizeof *s);
    if (!s)
        return 1;
    s->n = 3;
    for (int i = 0; i < s->n; i++)
        s->pts[i] = i; //~ null-dereference
    free(s);
    return 0;
}
