#include <stdio.h>
#include <math.h>

typedef double fn(double);
static double f1(double x) { return x * x; }
static double f2(double x) { return sin(x); }
static double f3(double x) { return 1 / (1 + x * x); }
static double f4(double x) { return x * x * x - 2 * x - 5; }

static double simpson(fn *f, double a, double b, int n)
{
    double h = (b - a) / n, s = f(a) + f(b);
    for (int i = 1; i < n; i++)
        s += f(a + i * h) * (i % 2 ? 4 : 2);
    return s * h / 3;
}
static double derivative(fn *f, double x) { const double h = 1e-6; return (f(x + h) - f(x - h)) / (2 * h); }
static double newton(fn *f, double x, int *steps)
{
    for (*steps = 0; *steps < 50 && fabs(f(x)) > 1e-10; ++*steps)
        x -= f(x) / derivative(f, x);
    return x;
}
static double bisect(fn *f, double lo, double hi)
{
    while (hi - lo > 1e-10) {
        double mid = lo + (hi - lo) / 2;
        if ((f(lo) < 0) == (f(mid) < 0))
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}
int main(void)
{
    fn *fs[] = { f1, f2, f3, f4 };
    for (int i = 0; i < 4; i++)
        printf("%.8f %.8f\n", simpson(fs[i], 0, 1, 50), derivative(fs[i], 0.5));
    int steps;
    printf("%.8f\n", newton(f4, 2, &steps));
    printf("%d\n", steps > 0 && steps < 10);
    printf("%.8f\n", bisect(f4, 2, 3));
    double y = 1, t = 0, h = 0.1;
    for (int i = 0; i < 10; i++, t += h) {
        double k1 = y, k2 = y + h / 2 * k1, k3 = y + h / 2 * k2, k4 = y + h * k3;
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    printf("%.6f %.6f\n", t, y);
    return 0;
}
