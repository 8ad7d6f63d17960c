#include <stdio.h>
#include <math.h>

int main(void)
{
    for (double x = -2; x <= 2; x += 0.5) {
        printf("%5.2f sin %.6f cos %.6f tan %.6f exp %.6f", x, sin(x), cos(x), tan(x), exp(x));
        printf(" atan %.6f sinh %.6f cosh %.6f tanh %.6f\n", atan(x), sinh(x), cosh(x), tanh(x));
        if (x > 0)
            printf("   log %.6f log10 %.6f log2 %.6f sqrt %.6f\n", log(x), log10(x), log2(x), sqrt(x));
        if (x >= -1 && x <= 1)
            printf("   asin %.6f acos %.6f\n", asin(x), acos(x));
    }
    printf("%.6f %.6f %.6f\n", atan2(1, -1), atan2(-1, -1), atan2(0, 1));
    printf("%.6f %.6f %.6f %.6f\n", pow(2, 10), pow(2, 0.5), pow(-2, 3), pow(10, -2));
    printf("%.6f %.6f %.6f\n", exp2(3.5), expm1(1e-5) * 1e5, log1p(1e-5) * 1e5);
    printf("%.6f %.6f %.6f\n", tgamma(5), lgamma(10), erf(0.5));
    double sum = 0;
    for (int i = 0; i < 200; i++)
        sum += (i % 2 ? -1.0 : 1.0) / (2 * i + 1);
    printf("%.6f\n", sum * 4);
    printf("%.4f %.4f\n", sinf(1.0f), powf(2.0f, 0.5f));
    return 0;
}
