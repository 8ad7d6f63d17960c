#include <stdio.h>
#include <stdarg.h>

static long isum(int n, ...)
{
    va_list ap;
    long s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static double dsum(int n, ...)
{
    va_list ap;
    double s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, double) * (i + 1);
    va_end(ap);
    return s;
}
static double mixed(const char *kinds, ...)
{
    va_list ap;
    double s = 0;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': s += va_arg(ap, int); break;
        case 'u': s += va_arg(ap, unsigned); break;
        case 'l': s += va_arg(ap, long long); break;
        case 'd': s += va_arg(ap, double); break;
        case 'L': s += (double)va_arg(ap, long double); break;
        case 's': s += *va_arg(ap, const char *); break;
        }
    va_end(ap);
    return s;
}
int main(void)
{
    printf("%ld\n", isum(0));
    printf("%ld\n", isum(3, 1, 2, 3));
    printf("%ld\n", isum(12, 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12));
    printf("%g\n", dsum(3, 1.0, 0.5, 0.25));
    printf("%g\n", dsum(11, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.));
    printf("%g\n", mixed("idldisiudddddddddilLlLi", 1, 2.5, 3LL, 4.25, 5, "A", 6, 7u, .1, .2, .3, .4, .5, .6, .7, .8, .9,
                         10, 11LL, 12.5L, 13LL, 14.5L, 15));
    char c = 'c';
    short h = -3;
    float f = 1.5f;
    printf("%g\n", mixed("iid", c, h, f));
    return 0;
}
