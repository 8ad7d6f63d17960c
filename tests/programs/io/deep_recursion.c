#include <stdio.h>

struct frame { int id; char pad[24]; };

static int depth(int n, struct frame *up)
{
    struct frame f = { n, "frame" };
    if (n == 0)
        return up->id;
    f.pad[5] = (char)(n & 0x7f);
    int r = depth(n - 1, &f);
    return r + (f.pad[5] == (n & 0x7f));
}
static unsigned sum_to(unsigned n) { return n ? n + sum_to(n - 1) : 0; }

int main(void)
{
    struct frame top = { -1, "" };
    printf("%d\n", depth(3000, &top));
    printf("%u\n", sum_to(4000));
    return 0;
}
