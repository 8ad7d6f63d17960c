#include <stdio.h>

typedef int v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef unsigned char v16c __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));

static void show(const char *n, v4i v) { printf("%s %d %d %d %d\n", n, v[0], v[1], v[2], v[3]); }

int main(void)
{
    v4i a = { 1, 2, 3, 4 }, b = { 10, -20, 30, -40 };
    show("add", a + b);
    show("sub", a - b);
    show("mul", a * b);
    show("div", b / a);
    show("shl", a << 2);
    show("and", a & (v4i){ 1, 1, 1, 1 });
    show("neg", -a);
    show("gt", a > b);
    show("scalar", a * 3);
    a[2] = 99;
    show("set", a);
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += a[i];
    printf("%d\n", s);
    v4f f = { 0.5f, 1.5f, 2.5f, 3.5f };
    f = f * f + 1;
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    v16c c = { 250, 251, 252, 253, 254, 255 };
    c += 4;
    for (int i = 0; i < 8; i++)
        printf("%d ", c[i]);
    putchar('\n');
    v2d d = { 1, 2 };
    d /= (v2d){ 4, 8 };
    printf("%g %g %zu\n", d[0], d[1], sizeof d);
    show("shuffle", __builtin_shufflevector(a, b, 0, 4, 3, 7));
    return 0;
}
