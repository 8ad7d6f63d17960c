#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct poly { int deg; long c[16]; };

static struct poly norm(struct poly p) { while (p.deg > 0 && !p.c[p.deg]) p.deg--; return p; }
static struct poly add(struct poly a, struct poly b)
{
    struct poly r = { .deg = a.deg > b.deg ? a.deg : b.deg };
    for (int i = 0; i <= r.deg; i++)
        r.c[i] = (i <= a.deg ? a.c[i] : 0) + (i <= b.deg ? b.c[i] : 0);
    return norm(r);
}
static struct poly mul(struct poly a, struct poly b)
{
    struct poly r = { .deg = a.deg + b.deg };
    for (int i = 0; i <= a.deg; i++)
        for (int j = 0; j <= b.deg; j++)
            r.c[i + j] += a.c[i] * b.c[j];
    return norm(r);
}
static struct poly derive(struct poly a)
{
    struct poly r = { .deg = a.deg ? a.deg - 1 : 0 };
    for (int i = 1; i <= a.deg; i++)
        r.c[i - 1] = a.c[i] * i;
    return r;
}
static long eval(const struct poly *p, long x)
{
    long r = 0;
    for (int i = p->deg; i >= 0; i--)
        r = r * x + p->c[i];
    return r;
}
static void print(struct poly p)
{
    int first = 1;
    for (int i = p.deg; i >= 0; i--) {
        long c = p.c[i];
        if (!c && p.deg)
            continue;
        printf("%s", first ? c < 0 ? "-" : "" : c < 0 ? " - " : " + ");
        if (labs(c) != 1 || !i)
            printf("%ld", labs(c));
        if (i > 1) printf("x^%d", i);
        else if (i) putchar('x');
        first = 0;
    }
    putchar('\n');
}
int main(void)
{
    struct poly a = { 2, { -1, 0, 3 } }, b = { 1, { 1, -1 } };
    print(a);
    print(b);
    print(add(a, b));
    print(mul(a, b));
    print(derive(mul(a, a)));
    struct poly p = { 0, { 1 } };
    for (int i = 0; i < 8; i++)
        p = mul(p, b);
    print(p);
    print(add(p, mul(p, (struct poly){ 0, { -1 } })));
    for (int x = -2; x <= 2; x++)
        printf("%ld ", eval(&a, x));
    putchar('\n');
    return 0;
}
