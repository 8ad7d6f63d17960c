#include <stdio.h>
#include <math.h>

int main(void)
{
    volatile double zero = 0.0, one = 1.0;
    double inf = HUGE_VAL, n = NAN;
    printf("%d %d\n", isinf(inf) != 0, isnan(n) != 0);
    printf("%d %d %d\n", n == n, n < one, n != one);
    printf("%g %g\n", inf + one, -inf * 2);
    printf("%d\n", isnan(inf - inf) != 0);
    printf("%g\n", fmax(n, 3));
    printf("%g %g\n", zero * -one, sqrt(zero));
    printf("%d\n", 1e308 * 10 == inf);
    printf("%g\n", 5e-324 / 2);
    float f = 3e38f;
    printf("%g\n", f * 10);
    return 0;
}
