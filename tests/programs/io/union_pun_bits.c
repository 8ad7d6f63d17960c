#include <stdio.h>
#include <stdint.h>
#include <string.h>

union f32 { float f; uint32_t u; int32_t i; };
union f64 { double d; uint64_t u; struct { uint32_t lo, hi; } w; };

static float fast_rsqrt(float x)
{
    union f32 v = { x };
    v.i = 0x5f3759df - (v.i >> 1);
    v.f *= 1.5f - x * 0.5f * v.f * v.f;
    return v.f;
}
static float fabs_bits(float x) { union f32 v = { .f = x }; v.u &= 0x7fffffff; return v.f; }
static int ulps(float a, float b) { union f32 x = { a }, y = { b }; return y.i - x.i; }
static double next_up(double d) { union f64 v = { .d = d }; v.u++; return v.d; }

int main(void)
{
    for (float x = 1; x < 100; x *= 3)
        printf("%.6f\n", fast_rsqrt(x));
    printf("%g %g\n", fabs_bits(-3.5f), fabs_bits(2));
    printf("%d\n", ulps(1.0f, 1.0000005f));
    printf("%.17g\n", next_up(1.0));
    union f64 w = { .d = -1.5 };
    printf("%08x %08x\n", w.w.hi, w.w.lo);
    w.w.hi ^= 0x80000000u;
    printf("%g\n", w.d);
    uint32_t nan_bits = 0x7fc00000;
    float n;
    memcpy(&n, &nan_bits, 4);
    printf("%d\n", n != n);
    int exp = (int)((union f64){ .d = 1024.0 }.u >> 52) - 1023;
    printf("%d\n", exp);
    uint32_t inf = ((union f32){ .f = 1e38f * 10 }).u;
    printf("%08x\n", inf);
    return 0;
}
