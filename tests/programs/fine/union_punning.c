#include <stdio.h>
#include <stdint.h>

union u { float f; uint32_t i; unsigned char b[4]; struct { uint16_t lo, hi; }; };

int main(void)
{
    union u v;
    v.f = 1.0f;
    printf("%08x %04x %d\n", v.i, v.hi, v.b[3]);
    v.b[3] |= 0x80;
    printf("%g\n", v.f);
    v.i = 0x40490fdb;
    printf("%.6f\n", v.f);
    union { double d; uint64_t u; } w = { .u = 0x7ff0000000000000u };
    printf("%g\n", w.d);
    union { int small; long big; } s;
    s.big = -1;
    s.small = 7;
    printf("%d\n", s.small);
    union { char c[8]; long l; } z = { "ABCDEFG" };
    printf("%lx\n", z.l);
    return 0;
}
