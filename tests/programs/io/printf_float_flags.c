#include <stdio.h>

int main(void)
{
    double v[] = { 0.0, -0.0, 1.0, -1.5, 3.14159265358979, 1e-5, 123456789.0, 1e100, 0.1, 999999.5, 1e15, 2.5, 0.5 };
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i];
        printf("[%f][%e][%g]\n", x, x, x);
        printf("[%.0f][%.1f][%.3e][%.3g]\n", x, x, x, x);
        printf("[%12.4f][%-12.4f][%+.2f][% .2f]\n", x, x, x, x);
        printf("[%012.3f][%-08.3f][%+012.3e][%#.0f]\n", x, x, x, x);
        printf("[%G][%E][%#g][%.10g][%.17g]\n", x, x, x, x, x);
    }
    double zero = 0.0;
    double inf = 1 / 1e-320 * 1e300;
    printf("[%f][%5.1f][%-8f][%F][%+f][%010f]\n", inf, inf, inf, inf, inf, -inf);
    printf("[%.*f][%*.*e]\n", 3, 2.0 / 3, 15, 4, 2.0 / 3);
    printf("[%.30f]\n[%.20e]\n", 0.1, 1.0 / 3);
    printf("[%5.0f][%.0f][%.0f][%.0f]\n", 0.5, 1.5, 2.5, 3.5);
    return zero;
}
