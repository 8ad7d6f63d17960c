#include <stdio.h>
#include <math.h>
#include <complex.h>

struct roots { int n; double r[2]; double im; };

static struct roots solve(double a, double b, double c)
{
    struct roots s = { 0 };
    if (a == 0) {
        if (b == 0) return s;
        s.n = 1;
        s.r[0] = -c / b;
        return s;
    }
    double d = b * b - 4 * a * c;
    s.n = d > 0 ? 2 : d == 0 ? 1 : -2;
    if (d >= 0) {
        s.r[0] = (-b + sqrt(d)) / (2 * a);
        s.r[1] = (-b - sqrt(d)) / (2 * a);
    } else {
        s.r[0] = -b / (2 * a);
        s.im = sqrt(-d) / (2 * a);
    }
    return s;
}
int main(void)
{
    double a, b, c;
    while (scanf("%lf %lf %lf", &a, &b, &c) == 3) {
        struct roots s = solve(a, b, c);
        printf("%gx^2%+gx%+g: ", a, b, c);
        switch (s.n) {
        case 2: printf("%.4f, %.4f\n", s.r[0], s.r[1]); break;
        case 1: printf("%.4f\n", s.r[0]); break;
        case -2: printf("%.4f +- %.4fi\n", s.r[0], s.im); break;
        default: puts("no root");
        }
    }
    return 0;
}
