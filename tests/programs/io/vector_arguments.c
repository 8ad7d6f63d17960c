#include <stdio.h>

typedef float v4f __attribute__((vector_size(16)));
typedef int v4i __attribute__((vector_size(16)));
typedef short v8s __attribute__((vector_size(16)));
struct holder { v4f v; int tag; };

static v4f axpy(float a, v4f x, v4f y) { return a * x + y; }
static float dot(v4f a, v4f b) { v4f p = a * b; return p[0] + p[1] + p[2] + p[3]; }
static v4i clampv(v4i v, v4i lo, v4i hi)
{
    v4i below = v < lo, above = v > hi;
    v = (below & lo) | (~below & v);
    return (above & hi) | (~above & v);
}
static struct holder bump(struct holder h) { h.v += 1; h.tag++; return h; }

int main(void)
{
    v4f a = { 1, 2, 3, 4 }, b = { 0.5f, 0.25f, 0, -1 };
    v4f r = axpy(2, a, b);
    printf("%g %g %g %g\n", r[0], r[1], r[2], r[3]);
    printf("%g\n", dot(a, b));
    v4i c = clampv((v4i){ -5, 3, 50, 7 }, (v4i){ 0, 0, 0, 0 }, (v4i){ 10, 10, 10, 5 });
    printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
    struct holder h = bump((struct holder){ a, 1 });
    printf("%g %d\n", h.v[3], h.tag);
    v8s s = { 1, 2, 3, 4, 5, 6, 7, 8 };
    s = s * s - (s >> 1);
    for (int i = 0; i < 8; i++)
        printf("%d ", s[i]);
    putchar('\n');
    v4f arr[3] = { a, b, a + b };
    float *flat = (float *)arr;
    printf("%g %g\n", flat[5], flat[11]);
    v4i bits = (v4i)a;
    printf("%08x\n", bits[0]);
    v4i conv = __builtin_convertvector(a * 1.75f, v4i);
    printf("%d %d %d %d\n", conv[0], conv[1], conv[2], conv[3]);
    return 0;
}
