#include <stdio.h>

struct flags { unsigned a : 3, b : 5, c : 1; unsigned d : 20; int e : 4; };

static int run(void)
{
    struct flags f;
    f.a = 5;
    f.c = 1;
    if (f.c)
        f.b = f.a * 3;
    printf("%u %u %u\n", f.a, f.b, f.c);
    f.e = -3;
    f.a++;
    if (f.e < 0 && f.a == 6)
        f.d = 1000;
    printf("%u %d\n", f.d, f.e);
    return f.b;
}

int main(void)
{
    return run() == 15 ? 0 : 1;
}
