#include <stdio.h>
#include <limits.h>

int main(void)
{
    short s = SHRT_MAX;
    s++;
    printf("%d\n", s);
    signed char c = CHAR_MAX;
    c += 1;
    printf("%d\n", c);
    unsigned char u = 255, v = 255;
    printf("%d %d\n", u + v, u * v);
    short a = -32768;
    printf("%d\n", -a);
    a = -a;
    printf("%d\n", a);
    a = (short)(a - 1);
    printf("%d\n", a);
    c = 100;
    c *= 3;
    printf("%d\n", c);
    unsigned short w = 40000;
    printf("%d\n", w + w);
    printf("%d\n", (char)(c << 1));
    short t = 30000;
    t = t + t;
    printf("%d\n", t);
    return 0;
}
