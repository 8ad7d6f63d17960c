#include <stdio.h>
#include <stdbool.h>

static bool odd(int n) { return n & 1; }
static _Bool from_double(double d) { return d; }
static _Bool from_ptr(const void *p) { return p; }

struct flags { bool a, b; bool c[3]; };

int main(void)
{
    bool t = 42, f = 0;
    printf("%d %d %zu\n", t, f, sizeof(bool));
    t = 256;
    printf("%d\n", t);
    t += 5;
    printf("%d\n", t);
    t -= 1;
    printf("%d\n", t);
    t++;
    t++;
    printf("%d\n", t);
    printf("%d %d %d\n", odd(7), odd(8), odd(-3));
    printf("%d %d %d\n", from_double(0.25), from_double(0.0), from_double(-0.0));
    int x;
    printf("%d %d\n", from_ptr(&x), from_ptr(NULL));
    struct flags fl = { .b = 3, .c = { 0, 9, 0 } };
    int sum = fl.a + fl.b * 2 + fl.c[0] * 4 + fl.c[1] * 8 + fl.c[2] * 16;
    printf("%d\n", sum);
    fl.a = !fl.b;
    fl.c[2] = fl.b && fl.c[1];
    printf("%d%d%d%d%d\n", fl.a, fl.b, fl.c[0], fl.c[1], fl.c[2]);
    bool r = (bool)0.5 ^ true;
    printf("%d %d %d\n", r, ~t, -t);
    return t ? 3 : 4;
}
