#include <stdio.h>
#include <stddef.h>
#include <stdalign.h>
#include <stdint.h>

struct a { char c; int i; };
struct b { char c; double d; char e; };
struct __attribute__((packed)) p { char c; int i; double d; };
struct al { char c; alignas(16) char d; };
struct __attribute__((aligned(32))) wide { int x; };
union u { char c[5]; short s; };

_Static_assert(sizeof(int) == 4, "int is four bytes");
_Static_assert(offsetof(struct a, i) == 4, "padding");
_Static_assert(sizeof(struct p) == 13, "packed");

static _Alignas(64) char buffer[10];

int main(void)
{
    _Static_assert(alignof(struct wide) == 32, "aligned");
    printf("%zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct p));
    printf("%zu %zu %zu\n", sizeof(struct al), sizeof(struct wide), sizeof(union u));
    printf("%zu %zu %zu %zu\n", alignof(char), alignof(short), _Alignof(double), alignof(long double));
    printf("%zu %zu %zu\n", alignof(struct b), alignof(struct p), alignof(struct al));
    printf("%zu %zu %zu\n", offsetof(struct b, d), offsetof(struct b, e), offsetof(struct p, d));
    printf("%d\n", (int)((uintptr_t)buffer % 64));
    alignas(128) int local = 3;
    struct wide arr[3] = { { 1 }, { 2 }, { 3 } };
    printf("%d %d %d\n", (int)((uintptr_t)&local % 128), (int)((uintptr_t)&arr[1] % 32), arr[2].x);
    struct p q = { 'x', 0x01020304, 2.5 };
    char *raw = (char *)&q;
    printf("%d %d %c %g\n", raw[1], raw[4], q.c, q.d);
    q.i++;
    printf("%x\n", q.i);
    printf("%zu\n", (char *)&arr[2] - (char *)arr);
    return 0;
}
