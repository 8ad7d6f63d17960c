#include <stdio.h>

static int counter(void) { static int n = 100; return n++; }
static int fib_memo(int n)
{
    static int memo[40], hits;
    if (n < 0) return hits;
    if (n < 2) return n;
    if (memo[n]) { hits++; return memo[n]; }
    return memo[n] = fib_memo(n - 1) + fib_memo(n - 2);
}
static const char *hex(unsigned v)
{
    static char ring[4][12];
    static unsigned at;
    char *p = ring[at++ % 4];
    snprintf(p, sizeof ring[0], "<%x>", v);
    return p;
}
static int *slot(int i) { static int s[3] = { 7, 8, 9 }; return &s[i]; }

int main(void)
{
    for (int i = 0; i < 3; i++) {
        static int inner = 1;
        int outer = 1;
        inner *= 3;
        outer *= 3;
        printf("%d %d %d\n", counter(), inner, outer);
    }
    printf("%d\n", fib_memo(39));
    printf("%d hits\n", fib_memo(-1));
    const char *a = hex(10), *b = hex(255), *c = hex(4096);
    printf("%s %s %s\n", a, b, c);
    *slot(1) += 50;
    printf("%d %d %d\n", *slot(0), *slot(1), *slot(2));
    return 0;
}
