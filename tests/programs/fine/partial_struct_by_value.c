#include <stdio.h>

struct opt { int set; int value; char name[8]; double w; };
struct two { int a, b; };

static struct opt none(void) { struct opt o; o.set = 0; return o; }
static struct opt some(int v) { struct opt o; o.set = 1; o.value = v; return o; }
static int get(struct opt o, int dflt) { return o.set ? o.value : dflt; }
static struct two half(int a) { struct two t; t.a = a; return t; }
static int first(struct two t) { return t.a; }

int main(void)
{
    printf("%d %d\n", get(none(), -1), get(some(5), -1));
    struct opt o = none(), p = o;
    o = some(9);
    p = o;
    printf("%d\n", get(p, 0));
    printf("%d\n", first(half(3)));
    struct two v[2];
    v[0] = half(4);
    v[1] = v[0];
    v[1].b = 6;
    printf("%d %d\n", v[1].a, v[1].b);
    return 0;
}
