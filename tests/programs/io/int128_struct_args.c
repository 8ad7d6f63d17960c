#include <stdio.h>
#include <stdarg.h>

typedef __int128 i128;
struct wide { i128 v; int tag; };
struct pair { unsigned long lo, hi; };

static struct wide add(struct wide a, i128 b) { a.v += b; a.tag++; return a; }
static struct pair split(unsigned __int128 v) { return (struct pair){ (unsigned long)v, (unsigned long)(v >> 64) }; }
static unsigned __int128 combine(struct pair p) { return (unsigned __int128)p.hi << 64 | p.lo; }
static i128 sum(int n, ...)
{
    va_list ap;
    i128 s = 0;
    va_start(ap, n);
    while (n--)
        s += va_arg(ap, i128);
    va_end(ap);
    return s;
}
static i128 mixed(int a, i128 b, long c, i128 d, int e, i128 f, char g) { return a + b * c - d + e * f + g; }
static void show(const char *n, i128 v) { printf("%s %016lx%016lx\n", n, (long)(v >> 64), (long)v); }

int main(void)
{
    i128 big = (i128)0x7fffffffffffffffL << 32;
    struct wide w = add((struct wide){ big, 1 }, -1);
    show("wide", w.v);
    printf("%d %zu\n", w.tag, sizeof w);
    struct pair p = split(big * 3);
    printf("%lx %lx\n", p.lo, p.hi);
    show("back", combine(p));
    show("sum", sum(5, (i128)1, big, -big, (i128)-5, big >> 4));
    show("mixed", mixed(1, big, 2, (i128)3, 4, (i128)-5, 'a'));
    i128 arr[3] = { 1, -1, big };
    for (int i = 0; i < 3; i++)
        arr[i] = arr[i] * 2 / 2 == arr[i] ? arr[i] * 7 : 0;
    show("arr", arr[2]);
    printf("%d %d %d\n", arr[0] > arr[1], (int)(arr[1] % 5), (int)(arr[2] / big));
    printf("%g %g\n", (double)big, (double)(float)-big);
    show("fromd", (i128)1e30);
    return 0;
}
