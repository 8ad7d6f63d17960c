#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void print_u128(u128 v)
{
    char buf[64];
    int i = 63;
    buf[i] = 0;
    do {
        buf[--i] = '0' + (int)(v % 10);
        v /= 10;
    } while (v);
    fputs(buf + i, stdout);
}

static void print_i128(i128 v)
{
    if (v < 0) {
        putchar('-');
        print_u128(-(u128)v);
    } else
        print_u128(v);
}

int main(void)
{
    u128 f = 1;
    for (int i = 1; i <= 34; i++)
        f *= i;
    print_u128(f); putchar('\n');
    u128 all = ~(u128)0;
    print_u128(all); putchar('\n');
    i128 lo = -(i128)(all >> 1) - 1;
    print_i128(lo); putchar('\n');
    print_i128(lo / 1000000007); putchar('\n');
    print_i128(lo % 1000000007); putchar('\n');
    i128 x = (i128)-1;
    print_i128(x * 123456789012345678LL); putchar('\n');
    u128 s = (u128)1 << 100;
    printf("%d %d %d\n", (int)(s >> 98), s > all / 2, (i128)s > lo);
    printf("%llu %llu\n", (unsigned long long)(s >> 64), (unsigned long long)s);
    double dv = (double)s;
    printf("%.0f\n", dv);
    u128 back = (u128)(dv * 1.5);
    print_u128(back); putchar('\n');
    print_i128((i128)-7 >> 1); putchar('\n');
    print_u128((all ^ s) & ((u128)0xff << 96)); putchar('\n');
    return 0;
}
