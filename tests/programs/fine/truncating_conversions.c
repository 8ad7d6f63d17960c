#include <stdio.h>
#include <limits.h>
#include <stdint.h>

int main(void)
{
    long long big = 0x123456789abcdef0LL;
    printf("%x %hx %hhx\n", (int)big, (short)big, (char)big);
    int i = (int)4000000000u;
    printf("%d\n", i);
    int8_t b = (int8_t)200;
    printf("%d\n", b);
    unsigned u = (unsigned)-1;
    printf("%u\n", u);
    printf("%d\n", (int)3.99);
    printf("%d\n", (int)-3.99);
    printf("%u\n", (unsigned)-0.5);
    printf("%d\n", (int8_t)-128.9);
    printf("%lld\n", (long long)-9223372036854775808.0);
    float f = 16777217;
    printf("%.1f\n", f);
    f = (float)1e300;
    printf("%f\n", f);
    printf("%d\n", (_Bool)0.1);
    enum e { A, B } e = (enum e)1;
    printf("%d\n", e);
    return 0;
}
