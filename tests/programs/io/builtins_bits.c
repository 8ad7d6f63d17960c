#include <stdio.h>

int main(void)
{
    unsigned v[] = { 1, 2, 3, 0x80, 0xffff, 0x80000000u, 0xffffffffu, 0x00f00000 };
    for (unsigned i = 0; i < 8; i++) {
        unsigned x = v[i];
        printf("%08x pop %d par %d clz %d ctz %d ffs %d bswap %08x\n", x, __builtin_popcount(x), __builtin_parity(x),
               __builtin_clz(x), __builtin_ctz(x), __builtin_ffs((int)x), __builtin_bswap32(x));
    }
    unsigned long long w = 0x0123456789abcdefULL;
    printf("%d %d %d %llx %x\n", __builtin_popcountll(w), __builtin_clzll(w), __builtin_ctzll(w),
           (unsigned long long)__builtin_bswap64(w), __builtin_bswap16(0x1234));
    printf("%d %d %d\n", __builtin_ffs(0), __builtin_ffsll(1LL << 40), __builtin_parityl(7));
    printf("%d %d\n", __builtin_clrsb(-1), __builtin_clrsb(0xff));
    printf("%d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long));
    printf("%d %d\n", __builtin_types_compatible_p(const int, int), __builtin_types_compatible_p(int[], int[5]));
    printf("%d\n", __builtin_constant_p(3 * 4));
    printf("%d\n", __builtin_choose_expr(sizeof(long) == 8, 64, 32));
    if (__builtin_expect(v[0] == 1, 1))
        puts("likely");
    if (__builtin_expect(!!(v[0] == 2), 0))
        puts("unlikely");
    int *p = (int *)v;
    p = __builtin_assume_aligned(p, 4);
    printf("%d\n", p[1]);
    __builtin_prefetch(p);
    printf("%zu %d\n", __builtin_strlen("builtin"), __builtin_abs(-4));
    printf("%d\n", __builtin_memcmp("abc", "abc", 3));
    return 0;
}
