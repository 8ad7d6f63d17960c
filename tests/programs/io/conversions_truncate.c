#include <stdio.h>
#include <limits.h>

int main(void)
{
    long long v[] = { 0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
                      2147483647LL, 2147483648LL, 4294967295LL, 4294967296LL,
                      LLONG_MAX, LLONG_MIN, 0x123456789abcdefLL };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        long long x = v[i];
        printf("%lld: %hhd %hhu %hd %hu %d %u\n", x, (signed char)x, (unsigned char)x,
               (short)x, (unsigned short)x, (int)x, (unsigned)x);
    }
    double d[] = { 0.0, 1.9, -1.9, 255.99, 1e9, -2147483648.0, 4294967295.5, 1e18 };
    for (size_t i = 0; i < sizeof d / sizeof *d; i++)
        printf("%g -> %lld %lld\n", d[i], (long long)d[i], (long long)(float)d[i]);
    printf("%u\n", (unsigned)4000000000.0);
    printf("%llu\n", (unsigned long long)1.8e19);
    printf("%.1f %.1f\n", (double)ULLONG_MAX, (double)LLONG_MIN);
    printf("%.1f %.1f\n", (double)(float)16777217, (float)123456789);
    return 0;
}
