#include <stdio.h>
#include <float.h>

static float sumf(int n) { float s = 0; for (int i = 1; i <= n; i++) s += 0.1f; return s; }
static double sumd(int n) { double s = 0; for (int i = 1; i <= n; i++) s += 0.1; return s; }
static long double suml(int n) { long double s = 0; for (int i = 1; i <= n; i++) s += 0.1L; return s; }
static double kahan(int n)
{
    double s = 0, c = 0;
    while (n--) {
        double y = 0.1 - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}
int main(void)
{
    printf("%.9g\n%.17g\n%.20Lg\n%.17g\n", sumf(1000), sumd(1000), suml(1000), kahan(1000));
    float f = 16777216.0f;
    printf("%d\n", f + 1.0f == f);
    printf("%d %d\n", 0.1 + 0.2 == 0.3, 0.1f + 0.2f == 0.3f);
    printf("%.20g %.20g\n", 0.1 + 0.2, (double)0.1f);
    double z = 0.0, inf = 1.0 / 1e-323, nan = inf - inf;
    printf("%d %d %d\n", nan == nan, nan < 1, !(nan > 1));
    printf("%g %g %d\n", inf, -inf, z == -z);
    printf("%g %g %g\n", DBL_MAX * 2, DBL_MIN / 2, DBL_MIN / 1e300);
    float fl = 1.0f / 3;
    double d = 1.0 / 3;
    long double ld = 1.0L / 3;
    printf("%.10f %.17f %.20Lf\n", fl, d, ld);
    printf("%d %d\n", (int)(fl * 3), fl == d);
    int i = 7;
    i *= 1.5;
    printf("%d %d %d\n", i, (int)-2.9, (int)(0.1 * 30));
    printf("%u %d\n", (unsigned char)250.7, (short)-300.99);
    double neg = -0.0;
    printf("%g %g\n", neg, neg + 0.0);
    d = 5;
    d++;
    --d;
    d /= 2;
    printf("%g %g\n", d, -d);
    return 0;
}
