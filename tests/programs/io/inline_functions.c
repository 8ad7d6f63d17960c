#include <stdio.h>

static inline int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
inline static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
extern inline int twice(int x);
inline int twice(int x) { return x + x; }
static inline __attribute__((always_inline)) void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static __attribute__((noinline)) int slow(int x) { return x * 31 + 7; }
static inline double lerp(double a, double b, double t) { return a + (b - a) * t; }
__attribute__((const, unused)) static int cube(int x) { return x * x * x; }
_Noreturn static void finish(int code);
#include <stdlib.h>
static void finish(int code) { printf("finish %d\n", code); exit(code); }

int main(void)
{
    for (int i = -5; i <= 15; i += 5)
        printf("%d ", clamp(i, 0, 10));
    printf("\n%u %d\n", gcd(1071, 462), twice(21));
    int a = 1, b = 2;
    swap(&a, &b);
    printf("%d %d %d %d\n", a, b, slow(a), cube(-3));
    for (int i = 0; i <= 4; i++)
        printf("%.2f ", lerp(10, 20, i / 4.0));
    putchar('\n');
    register int r = 5;
    auto int q = r * 2;
    finish(clamp(q, 1, 7));
}
