#include <stdio.h>
#include <stdarg.h>

struct tiny { char c; };
struct pair { int a, b; };
struct vec { double x, y; };
struct mix { long n; double d; };
struct big { int v[6]; };
struct fl { float a, b, c; };

static void show(const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    for (; *f; f++) {
        switch (*f) {
        case 't': printf("t(%c) ", va_arg(ap, struct tiny).c); break;
        case 'p': { struct pair p = va_arg(ap, struct pair); printf("p(%d,%d) ", p.a, p.b); break; }
        case 'v': { struct vec v = va_arg(ap, struct vec); printf("v(%g,%g) ", v.x, v.y); break; }
        case 'm': { struct mix m = va_arg(ap, struct mix); printf("m(%ld,%g) ", m.n, m.d); break; }
        case 'b': { struct big b = va_arg(ap, struct big); printf("b(%d,%d) ", b.v[0], b.v[5]); break; }
        case 'f': { struct fl x = va_arg(ap, struct fl); printf("f(%g,%g,%g) ", x.a, x.b, x.c); break; }
        case 'i': printf("i(%d) ", va_arg(ap, int)); break;
        }
    }
    va_end(ap);
    putchar('\n');
}
int main(void)
{
    struct tiny t = { 'T' };
    struct pair p = { 1, -2 };
    struct vec v = { 0.5, 1.5 };
    struct mix m = { 1L << 40, 2.25 };
    struct big b = { { 1, 2, 3, 4, 5, 6 } };
    struct fl f = { 1, 2, 3 };
    show("tpvmbf", t, p, v, m, b, f);
    show("iiiiipi", 1, 2, 3, 4, 5, p, 6);
    show("mmmmmm", m, m, m, m, m, m);
    show("vvvvvvp", v, v, v, v, v, v, p);
    show("fffffft", f, f, f, f, f, f, t);
    show("ibibi", 1, b, 2, b, 3);
    return 0;
}
