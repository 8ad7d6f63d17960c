#include <stdio.h>
#include <stdint.h>

#define kind(x) _Generic((x), \
    _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", \
    short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", \
    long: "long", unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", \
    float: "float", double: "double", long double: "ldouble", \
    char *: "char*", const char *: "cchar*", int *: "int*", void *: "void*", \
    int (*)(int): "fn", default: "other")

static int sq_i(int x) { return x * x; }
static double sq_d(double x) { return x * x; }
static const char *sq_s(const char *s) { return s + 1; }
#define sq(x) _Generic((x), int: sq_i, double: sq_d, char *: sq_s)(x)

struct s { int v; };

int main(void)
{
    short h = 1;
    unsigned char c = 1;
    float f = 1;
    const int ci = 4;
    struct s st = { 1 };
    int arr[3] = { 0 };
    printf("%s %s %s %s\n", kind(h), kind(c), kind(f), kind('a'));
    printf("%s %s %s %s\n", kind(h + h), kind(c + 1u), kind(f * 1.0), kind(ci));
    printf("%s %s %s %s\n", kind("s"), kind((const char *)"s"), kind(arr), kind((void *)arr));
    printf("%s %s %s %s\n", kind(st), kind(st.v), kind(sq_i), kind(&st));
    printf("%s %s %s %s\n", kind(1L), kind(1LL), kind(1UL), kind(0xffffffff));
    printf("%s %s %s %s\n", kind(1.0f), kind(1.0L), kind((_Bool)1), kind(sizeof 1));
    printf("%s %s %s\n", kind(1 ? h : c), kind(-c), kind((char)1));
    printf("%d %g %s\n", sq(7), sq(1.5), sq("hello"));
    int n = 0;
    printf("%d\n", _Generic(n++, int: 5, default: 6));
    printf("%d\n", n);
    return 0;
}
