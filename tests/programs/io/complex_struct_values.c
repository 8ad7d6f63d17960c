#include <stdio.h>
#include <complex.h>

struct wave { double complex c; float complex f; int n; };

static double complex rot(double complex z, int n) { while (n-- > 0) z *= I; return z; }
static struct wave step(struct wave w) { w.c = rot(w.c, w.n); w.f = -w.f; w.n++; return w; }
static float complex addf(float complex a, float complex b) { return a + b; }

static void fft(double complex *v, int n, int stride, double complex *out, const double complex *root, int total)
{
    if (n == 1) {
        out[0] = v[0];
        return;
    }
    fft(v, n / 2, stride * 2, out, root, total);
    fft(v + stride, n / 2, stride * 2, out + n / 2, root, total);
    for (int k = 0; k < n / 2; k++) {
        double complex t = root[k * (total / n)] * out[k + n / 2];
        out[k + n / 2] = out[k] - t;
        out[k] += t;
    }
}
int main(void)
{
    struct wave w = { 1 + 2 * I, 0.5f - 1.5f * I, 1 };
    for (int i = 0; i < 3; i++) {
        w = step(w);
        printf("%g%+gi %g%+gi %d\n", creal(w.c), cimag(w.c), crealf(w.f), cimagf(w.f), w.n);
    }
    float complex s = addf(w.f, 1);
    printf("%g %g\n", crealf(s), cimagf(s));
    double complex root[4] = { 1, 0.70710678118654752 * (1 - I), -I, -0.70710678118654752 * (1 + I) };
    double complex v[8], out[8];
    for (int i = 0; i < 8; i++)
        v[i] = i < 4 ? 1 : 0;
    fft(v, 8, 1, out, root, 8);
    for (int i = 0; i < 8; i++)
        printf("(%.3f,%.3f) ", creal(out[i]) + 0.0, cimag(out[i]) + 0.0);
    putchar('\n');
    return 0;
}
