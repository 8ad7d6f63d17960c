#include <stdio.h>

int main(void)
{
    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned char uc = 200;
    signed char sc = -56;
    unsigned short us = 65535;
    printf("%d\n", i < (int)u);
    printf("%d\n", i > u);
    printf("%d\n", l < u);
    printf("%d\n", uc == sc);
    printf("%d\n", uc == (unsigned char)sc);
    printf("%u\n", i + u);
    printf("%u\n", u - 2);
    printf("%d\n", us + us);
    printf("%d\n", uc + sc);
    printf("%ld\n", l * u);
    printf("%u\n", (unsigned)i / 2);
    printf("%d\n", -7 / 2);
    printf("%d\n", -7 % 2);
    printf("%u\n", -7u % 10);
    printf("%d\n", ~uc);
    printf("%u\n", ~u);
    printf("%d\n", (unsigned char)~uc);
    printf("%d %d\n", -8 >> 1, (int)(-8u >> 28));
    printf("%lu\n", (unsigned long)i);
    printf("%lu\n", (unsigned long)(unsigned)i);
    printf("%ld\n", (long)(unsigned)i);
    printf("%d\n", sizeof(int) > i);
    printf("%d\n", (int)sizeof(int) > i);
    unsigned long long big = 1ull << 63;
    printf("%llu %d\n", big, big > -1);
    uc += 100;
    sc -= 100;
    us *= 3u;
    printf("%d %d %d\n", uc, sc, us);
    return 0;
}
