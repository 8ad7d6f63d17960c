#include <stdio.h>
#include <limits.h>
#include <stdint.h>

static int checked_pow(int b, int e, int *out)
{
    int r = 1;
    while (e--)
        if (__builtin_mul_overflow(r, b, &r))
            return 0;
    *out = r;
    return 1;
}
int main(void)
{
    int r;
    unsigned u;
    long l;
    unsigned char c;
    int64_t q;
    int o;
    o = __builtin_add_overflow(INT_MAX, 1, &r); printf("%d %d\n", o, r);
    o = __builtin_add_overflow(40, 2, &r); printf("%d %d\n", o, r);
    o = __builtin_sub_overflow(INT_MIN, 1, &r); printf("%d %d\n", o, r);
    o = __builtin_mul_overflow(65536, 65536, &r); printf("%d %d\n", o, r);
    o = __builtin_mul_overflow(65536, 65536, &q); printf("%d %lld\n", o, (long long)q);
    o = __builtin_sub_overflow(3u, 5u, &u); printf("%d %u\n", o, u);
    o = __builtin_add_overflow(200, 100, &c); printf("%d %d\n", o, c);
    o = __builtin_add_overflow(-1, 5u, &u); printf("%d %u\n", o, u);
    o = __builtin_saddl_overflow(LONG_MAX, 1, &l); printf("%d %ld\n", o, l);
    o = __builtin_umul_overflow(1u << 31, 2u, &u); printf("%d %u\n", o, u);
    o = __builtin_smul_overflow(-46341, 46341, &r); printf("%d %d\n", o, r);
    for (int e = 28; e < 33; e++) {
        int v = -1;
        o = checked_pow(2, e, &v);
        printf("2^%d: %d %d\n", e, o, v);
    }
    int v, total = 0;
    while (scanf("%d", &v) == 1)
        if (__builtin_add_overflow(total, v, &total)) {
            puts("overflow");
            return 3;
        } else
            printf("total %d\n", total);
    return 0;
}
