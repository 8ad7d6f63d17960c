#include <stdio.h>

struct p { short a; char b; };
struct big { long v[5]; };
struct __attribute__((aligned(32))) al { int x; };

static double all(char a, short b, int c, long d, float e, double f, unsigned char g, unsigned h, long long i, float j,
                  int k, double l, struct p m, struct big n, double o, double q, double r, double s, double t, double u,
                  const char *v, _Bool w, long double x, int y, struct al z)
{
    printf("%d %d %d %ld %g %g %d %u %lld %g %d %g\n", a, b, c, d, e, f, g, h, i, j, k, l);
    printf("%d %c %ld %ld %g %g %g %g %g %g\n", m.a, m.b, n.v[0], n.v[4], o, q, r, s, t, u);
    printf("%s %d %Lg %d %d\n", v, w, x, y, z.x);
    n.v[0] = 0;
    return a + b + c + d + e + f + g + h + i + j + k + l + o + q + r + s + t + u + w + (double)x + y + z.x;
}
static int ints(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
int main(void)
{
    struct big n = { { 10, 20, 30, 40, 50 } };
    double r = all(1, -2, 3, -4, 5.5f, 6.5, 255, 4000000000u, -9, .25f, 11, 12.5, (struct p){ 13, 'm' }, n, 1, 2, 3, 4, 5, 6,
                   "text", 1, 7.75L, -8, (struct al){ 99 });
    printf("%.3f %ld\n", r, n.v[0]);
    printf("%d\n", ints(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    double (*f)(char, short, int, long, float, double, unsigned char, unsigned, long long, float, int, double, struct p,
                struct big, double, double, double, double, double, double, const char *, _Bool, long double, int, struct al) = all;
    printf("%.1f\n", f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (struct p){ 0, '0' }, n, 0, 0, 0, 0, 0, 0, "", 0, 0, 0, (struct al){ 7 }));
    return 0;
}
