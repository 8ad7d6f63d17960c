#include <stdio.h>

struct ff { float a, b; };
struct fff { float a, b, c; };
struct dd { double a, b; };
struct id { int i; double d; };
struct di { double d; long i; };
struct fi { float f; int i; };
struct cfd { char c; float f; double d; };
struct ld { long double x; };
struct nest { struct ff v; struct { short s; char c; } t; };
union num { int i; double d; };

static struct ff rot(struct ff v) { return (struct ff){ -v.b, v.a }; }
static struct fff cross(struct fff u, struct fff v)
{
    return (struct fff){ u.b * v.c - u.c * v.b, u.c * v.a - u.a * v.c, u.a * v.b - u.b * v.a };
}
static struct dd swap(struct dd v) { return (struct dd){ v.b, v.a }; }
static struct id bump(struct id v, int n) { v.i += n; v.d *= n; return v; }
static struct di flip(struct di v) { return (struct di){ v.i, (long)v.d }; }
static struct fi conv(struct fi v) { return (struct fi){ v.i, (int)v.f }; }
static struct cfd twist(struct cfd v) { return (struct cfd){ v.c + 1, v.d, v.f }; }
static struct ld half(struct ld v) { v.x /= 2; return v; }
static struct nest nst(struct nest n) { n.v = rot(n.v); n.t.s *= 2; n.t.c--; return n; }
static union num un(union num u) { u.d = u.i + 0.5; return u; }
static double lots(struct dd a, struct dd b, struct dd c, struct dd d, struct dd e, double f)
{
    return a.a + b.b * 2 + c.a * 3 + d.b * 4 + e.a * 5 + e.b * 6 + f;
}

int main(void)
{
    struct ff v = rot((struct ff){ 1.5f, 2.5f });
    printf("%g %g\n", v.a, v.b);
    struct fff w = cross((struct fff){ 1, 2, 3 }, (struct fff){ 4, 5, 7 });
    printf("%g %g %g\n", w.a, w.b, w.c);
    struct dd d = swap((struct dd){ 0.1, 0.2 });
    printf("%g %g\n", d.a, d.b);
    struct id i = bump((struct id){ 5, 1.25 }, 3);
    printf("%d %g\n", i.i, i.d);
    struct di j = flip((struct di){ 9.75, -4 });
    printf("%g %ld\n", j.d, j.i);
    struct fi k = conv((struct fi){ 3.9f, 8 });
    printf("%g %d\n", k.f, k.i);
    struct cfd c = twist((struct cfd){ 'q', 0.5f, 0.125 });
    printf("%c %g %g\n", c.c, c.f, c.d);
    printf("%Lg\n", half((struct ld){ 7.0L }).x);
    struct nest n = nst((struct nest){ { 3, 4 }, { 100, 'z' } });
    printf("%g %g %d %c\n", n.v.a, n.v.b, n.t.s, n.t.c);
    printf("%g\n", un((union num){ .i = 12 }).d);
    printf("%g\n", lots(d, d, d, d, d, 0.5));
    return 0;
}
