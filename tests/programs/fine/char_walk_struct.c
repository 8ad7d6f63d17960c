#include <stdio.h>
#include <string.h>

struct tight { int a; short b; char c[2]; };
struct loose { char c; int i; };

static unsigned add(const void *p, size_t n)
{
    const unsigned char *b = p, *e = b + n;
    unsigned s = 0;
    while (b < e)
        s += *b++;
    return s;
}
int main(void)
{
    struct tight t = { 0x01020304, 0x0506, { 7, 8 } };
    printf("%u\n", add(&t, sizeof t));
    struct loose l;
    memset(&l, 0, sizeof l);
    l.c = 1;
    l.i = 2;
    memset((char *)&l + 1, 0, 3);
    printf("%u\n", add(&l, sizeof l));
    static struct loose zero;
    printf("%u\n", add(&zero, sizeof zero));
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    printf("%u\n", add(m, sizeof m));
    char *raw = (char *)&t;
    for (size_t i = 0; i < sizeof t; i++)
        raw[i] ^= 0xff;
    printf("%x %x\n", (unsigned)t.a, (unsigned short)t.b);
    return 0;
}
