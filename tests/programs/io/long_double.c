#include <stdio.h>
#include <math.h>
#include <float.h>

static long double power(long double b, int e)
{
    long double r = 1;
    for (; e > 0; e >>= 1, b *= b)
        if (e & 1)
            r *= b;
    return r;
}
struct acc { long double total; int n; };
static struct acc add(struct acc a, long double x) { a.total += x; a.n++; return a; }

int main(void)
{
    printf("%zu %d\n", sizeof(long double), LDBL_DIG);
    printf("%.18Lf\n", 1.0L / 7);
    printf("%Le %Lg\n", power(1.5L, 1000), power(2.0L, 200));
    printf("%.1Lf\n", power(3.0L, 40));
    printf("%d\n", 9007199254740993.0L == 9007199254740993LL);
    printf("%d\n", (double)9007199254740993.0L == 9007199254740992.0);
    unsigned long long u = 18446744073709551615ULL;
    long double l = u;
    printf("%.0Lf %d\n", l, (unsigned long long)l == u);
    struct acc a = { 0 };
    for (int i = 1; i <= 100; i++)
        a = add(a, 1.0L / i);
    printf("%.15Lf %d\n", a.total, a.n);
    long double arr[3] = { -1.5L, 2.25L, 1e4000L };
    printf("%Lg %Lg %Lg\n", arr[0] * arr[1], fabsl(arr[0]), arr[2]);
    printf("%d %d\n", arr[0] < arr[1], (int)arr[1]);
    printf("%.10Lf %.10Lf\n", sqrtl(2), powl(2, 0.5L));
    printf("%20.5Lf|%-20.3Le|%+Lg\n", 3.14159L, 31415.9L, 2.5L);
    float f = arr[1];
    l = f;
    l -= 0.25f;
    printf("%Lf\n", -l);
    return 0;
}
