#include <stdio.h>
#include <math.h>

int main(void)
{
    double v[] = { 0.0, 0.5, 1.0, 1.5, 2.5, -0.5, -1.5, -2.5, 3.999, -3.001, 100.25 };
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i];
        printf("%g: floor %g ceil %g trunc %g round %g rint %g nearbyint %g\n", x, floor(x), ceil(x), trunc(x), round(x),
               rint(x), nearbyint(x));
        printf("   lround %ld llround %lld lrint %ld fabs %g\n", lround(x), llround(x), lrint(x), fabs(x));
    }
    printf("%.12g %.12g %.12g\n", sqrt(2), cbrt(27), hypot(3, 4));
    printf("%g %g %g\n", fmod(7.5, 2), fmod(-7.5, 2), fmod(7.5, -2));
    printf("%g %g\n", remainder(7.5, 2), remainder(5, 3));
    int e;
    double m = frexp(48.0, &e);
    printf("%g %d %g\n", m, e, ldexp(m, e + 1));
    double ip, fp = modf(-3.75, &ip);
    printf("%g %g\n", ip, fp);
    printf("%g %g %g\n", fmax(1, 2), fmin(1, 2), fdim(5, 3));
    printf("%g %g\n", copysign(3, -0.0), logb(1000));
    printf("%d %g %d\n", ilogb(1000), scalbn(1.5, 4), (int)signbit(-0.0));
    printf("%d %d %d %d\n", isnan(NAN), isinf(-INFINITY) != 0, isfinite(1.0), isnormal(1e-310));
    printf("%d %d\n", fpclassify(0.0) == FP_ZERO, fpclassify(1e-310) == FP_SUBNORMAL);
    printf("%g %.17g\n", fma(2, 3, 4), nextafter(1, 2));
    printf("%d %d\n", isgreater(1, NAN), isunordered(1, NAN));
    printf("%g %g %g\n", floorf(1.5f), ceilf(1.2f), roundf(2.5f));
    printf("%g %g\n", sqrtf(2.25f), fabsf(-1.5f));
    printf("%Lg %Lg\n", sqrtl(2.25L), floorl(-1.5L));
    return 0;
}
