#include <stdio.h>

struct s1 { char c; };
struct s3 { char c[3]; };
struct s8 { int a, b; };
struct s12 { int a, b, c; };
struct s16 { long a, b; };
struct s24 { long a, b, c; };
struct s40 { char name[32]; double d; };

static struct s1 f1(struct s1 s) { s.c++; return s; }
static struct s3 f3(struct s3 s) { char t = s.c[0]; s.c[0] = s.c[2]; s.c[2] = t; return s; }
static struct s8 f8(struct s8 s) { return (struct s8){ s.b, s.a }; }
static struct s12 f12(struct s12 s) { s.a += s.b; s.b += s.c; s.c += s.a; return s; }
static struct s16 f16(struct s16 s) { s.a *= -1; s.b *= 1000000007L; return s; }
static struct s24 f24(struct s24 s) { return (struct s24){ s.c, s.a, s.b }; }
static struct s40 f40(struct s40 s) { s.name[0] ^= 0x20; s.d /= 4; return s; }
static long many(int i, struct s8 a, struct s16 b, struct s24 c, struct s1 d, struct s12 e, struct s16 f)
{
    return i + a.a * 2 + a.b * 3 + b.a * 5 + b.b * 7 + c.a * 11 + c.b * 13 + c.c * 17 + d.c * 19
        + e.a * 23 + e.b * 29 + e.c * 31 + f.a * 37 + f.b * 41;
}

int main(void)
{
    struct s1 a = { 'a' };
    struct s3 b = { "xyz" };
    struct s8 c = { 1, 2 };
    struct s12 d = { 1, 2, 3 };
    struct s16 e = { 4, 5 };
    struct s24 f = { 6, 7, 8 };
    struct s40 g = { "hello", 10 };
    printf("%c %c\n", f1(a).c, f1(f1(a)).c);
    b = f3(b);
    printf("%.3s\n", b.c);
    printf("%d %d\n", f8(c).a, f8(c).b);
    d = f12(f12(d));
    printf("%d %d %d\n", d.a, d.b, d.c);
    e = f16(e);
    printf("%ld %ld\n", e.a, e.b);
    f = f24(f);
    printf("%ld %ld %ld\n", f.a, f.b, f.c);
    struct s40 h = f40(g);
    printf("%s %g %s %g\n", h.name, h.d, g.name, g.d);
    printf("%ld\n", many(1, c, e, f, a, d, e));
    return 0;
}
