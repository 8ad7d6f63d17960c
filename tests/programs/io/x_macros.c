#include <stdio.h>
#include <string.h>

#define COLORS(X) X(RED, 0xff0000) X(GREEN, 0x00ff00) X(BLUE, 0x0000ff) X(CYAN, 0x00ffff)
enum color {
#define X(n, v) COLOR_##n,
    COLORS(X)
#undef X
    COLOR_COUNT
};
static const char *const names[] = {
#define X(n, v) [COLOR_##n] = #n,
    COLORS(X)
#undef X
};
static unsigned rgb(enum color c)
{
    switch (c) {
#define X(n, v) case COLOR_##n: return v;
    COLORS(X)
#undef X
    default: return 0;
    }
}
#define FIELDS(F) F(int, id, "%d") F(double, weight, "%.2f") F(char, grade, "%c")
struct rec {
#define F(t, n, f) t n;
    FIELDS(F)
#undef F
};
static void print_rec(const struct rec *r)
{
#define F(t, n, f) printf(#n "=" f " ", r->n);
    FIELDS(F)
#undef F
    putchar('\n');
}
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define STR_(x) #x
#define STR(x) STR_(x)
#define VERSION 12
#define MAKE(n) static int CAT(fn_, n)(void) { return n * n; }
MAKE(3) MAKE(7)
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define COUNT_(a, b, c, d, e, n, ...) n
#define LOG(fmt, ...) printf("[" __FILE_NAME "] " fmt "\n", ##__VA_ARGS__)
#define __FILE_NAME "log"
int main(void)
{
    for (int i = 0; i < COLOR_COUNT; i++)
        printf("%s %06x\n", names[i], rgb(i));
    print_rec(&(struct rec){ 9, 70.456, 'B' });
    printf("%s %s %s\n", STR(VERSION), STR_(VERSION), STR(CAT(VER, SION)));
    printf("%d %d %d\n", CAT(fn_, 3)(), fn_7(), COUNT(a, b, c));
    LOG("plain");
    LOG("%d and %s", 5, "five");
    int CAT(var_, VERSION) = 3;
    printf("%d\n", var_12);
#if defined(VERSION) && VERSION > 10 && !defined(NOPE)
    puts("new");
#elif VERSION
    puts("old");
#else
    puts("none");
#endif
    puts(__func__);
    return 0;
}
