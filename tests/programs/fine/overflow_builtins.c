#include <stdio.h>
#include <limits.h>

int main(void)
{
    int r;
    printf("%d", __builtin_add_overflow(INT_MAX, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(1 << 20, 1 << 20, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_sub_overflow(0, INT_MIN, &r));
    printf(" %d\n", r);
    int n = 0;
    while (!__builtin_add_overflow(n, 500000000, &r))
        n = r;
    printf("%d %d\n", n, r);
    printf("%u\n", (unsigned)INT_MIN);
    printf("%d\n", (int)(0u - (unsigned)INT_MIN) == INT_MIN);
    return 0;
}
