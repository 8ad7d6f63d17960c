#include <stdio.h>
#include <complex.h>
#include <math.h>

static double complex horner(const double *c, int n, double complex z)
{
    double complex r = 0;
    while (n--)
        r = r * z + c[n];
    return r;
}
static int mandel(double complex c)
{
    double complex z = 0;
    int i = 0;
    while (i < 30 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
        z = z * z + c;
        i++;
    }
    return i;
}
int main(void)
{
    double complex a = 3 + 4 * I, b = 1 - 2 * I;
    double complex r[] = { a + b, a - b, a * b, a / b, -a, conj(a) };
    for (int i = 0; i < 6; i++)
        printf("%.4f%+.4fi\n", creal(r[i]), cimag(r[i]));
    printf("%g %d %d\n", cabs(a), a == b, a != b);
    const double c[] = { 1, -2, 3 };
    r[0] = horner(c, 3, b);
    printf("%g %g\n", creal(r[0]), cimag(r[0]));
    float complex f = 1.5f + 0.5f * I;
    f *= f;
    printf("%g %g %zu\n", crealf(f), cimagf(f), sizeof f);
    double parts[2];
    __real__ a = 7;
    parts[0] = __real__ a;
    parts[1] = __imag__ a;
    printf("%g %g\n", parts[0], parts[1]);
    for (int y = -4; y <= 4; y++) {
        for (int x = -16; x <= 6; x++)
            putchar(" .:-=+*#%@"[mandel(x / 8.0 + y / 4.0 * I) / 4 % 10]);
        putchar('\n');
    }
    return 0;
}
