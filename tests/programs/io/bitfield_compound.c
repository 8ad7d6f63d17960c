#include <stdio.h>

struct s { signed a : 4; unsigned b : 4; signed c : 7; unsigned long d : 33; signed long e : 50; _Bool f : 1; };
enum color { RED, GREEN, BLUE };
struct t { enum color c : 2; unsigned char u : 3; short h : 9; char : 0; int z; };

int main(void)
{
    struct s x = { 0 };
    for (int i = 0; i < 20; i += 3) {
        x.a += i;
        x.b -= i;
        x.c *= 3;
        x.c ^= i;
        x.d = (x.d << 3) | i;
        x.e = -x.e * 7 - i;
        x.f ^= i & 1;
        printf("%d %u %d %lu %ld %d\n", x.a, x.b, x.c, (unsigned long)x.d, (long)x.e, x.f);
    }
    x.a = 7;
    int old = x.a++;
    printf("%d %d\n", old, x.a);
    old = --x.a;
    printf("%d %d\n", old, x.a);
    struct t y = { BLUE, 9 & 7, -200, .z = 5 };
    y.c = GREEN;
    y.u += 7;
    y.h >>= 2;
    printf("%d %d %d %d %zu\n", y.c, y.u, y.h, y.z, sizeof y);
    struct t v[3] = { { RED }, { .u = 5 }, y };
    v[0] = v[2];
    v[0].h = v[0].h * 2 + 1;
    printf("%d %d\n", v[0].h, v[2].h);
    printf("%d %d\n", x.b - 20 < 0, x.d - 1 > 0);
    return 0;
}
