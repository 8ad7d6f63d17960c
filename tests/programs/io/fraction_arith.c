#include <stdio.h>
#include <stdlib.h>

typedef struct { long num, den; } frac;
static long gcd(long a, long b) { return b ? gcd(b, a % b) : labs(a); }
static frac make(long n, long d)
{
    if (d < 0) { n = -n; d = -d; }
    long g = gcd(n, d);
    return g ? (frac){ n / g, d / g } : (frac){ 0, 0 };
}
static frac add(frac a, frac b) { return make(a.num * b.den + b.num * a.den, a.den * b.den); }
static frac sub(frac a, frac b) { return add(a, (frac){ -b.num, b.den }); }
static frac mul(frac a, frac b) { return make(a.num * b.num, a.den * b.den); }
static frac quo(frac a, frac b) { return make(a.num * b.den, a.den * b.num); }
static int parse(const char *s, frac *f)
{
    long n, d = 1;
    int k = sscanf(s, "%ld/%ld", &n, &d);
    if (k < 1 || !d)
        return 0;
    *f = make(n, d);
    return 1;
}
static void show(frac f)
{
    if (f.den == 1) printf("%ld\n", f.num);
    else if (!f.den) puts("undefined");
    else printf("%ld/%ld (%.6f)\n", f.num, f.den, (double)f.num / f.den);
}
int main(void)
{
    char l[24], op, r[24];
    while (scanf("%23s %c %23s", l, &op, r) == 3) {
        frac a, b;
        if (!parse(l, &a) || !parse(r, &b)) {
            puts("bad fraction");
            continue;
        }
        static frac (*const f[])(frac, frac) = { ['+'] = add, ['-'] = sub, ['*'] = mul, ['/'] = quo };
        if (op > '/' || op < '*' || !f[(int)op])
            puts("bad operator");
        else
            show(f[(int)op](a, b));
    }
    frac h = { 0, 1 };
    for (int i = 1; i <= 15; i++)
        h = add(h, make(1, i));
    show(h);
    return 0;
}
