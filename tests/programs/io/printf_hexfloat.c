#include <stdio.h>
#include <float.h>

int main(void)
{
    double v[] = { 1.0, 0.5, 2.0, 10.0, 0.1, -3.75, 1e-300, DBL_MAX, DBL_MIN, DBL_EPSILON };
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%a %A\n", v[i], v[i]);
    printf("%a %a\n", 0.0, -0.0);
    printf("%.2a %.0a %.5a\n", 1.999, 1.5, 0.1);
    printf("[%20a][%-20a][%+a]\n", 1.25, 1.25, 1.25);
    printf("%g %g %g\n", 0x1p4, 0x1.8p1, 0x.8p0);
    float f = 0x1.fffffep127f;
    printf("%d %a\n", f == FLT_MAX, f);
    return 0;
}
