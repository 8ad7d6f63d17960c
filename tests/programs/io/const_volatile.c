#include <stdio.h>
#include <string.h>

static volatile int ticks;
static const char *const days[7] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };

static int wait_ticks(int n)
{
    int spins = 0;
    while (ticks < n) {
        ticks++;
        spins++;
    }
    return spins;
}
static size_t total(const char *const *v, size_t n)
{
    size_t t = 0;
    for (const char *const *p = v; p != v + n; ++p)
        t += strlen(*p);
    return t;
}
static void copy(char *restrict d, const char *restrict s) { while ((*d++ = *s++)) ; }

int main(void)
{
    int spun = wait_ticks(5);
    printf("%d %d\n", spun, ticks);
    printf("%zu\n", total(days, 7));
    char b[8];
    copy(b, days[2]);
    puts(b);
    const volatile int cv = 3;
    volatile int *p = &ticks;
    *p += cv;
    (*p)++;
    printf("%d\n", *p);
    volatile struct { int a; char b; } s = { 1, 'x' };
    s.a += s.b;
    printf("%d\n", s.a);
    volatile double d = 0.1;
    printf("%d\n", d + 0.2 == 0.3);
    int plain = 5;
    const int *pc = &plain;
    plain = 6;
    printf("%d\n", *pc);
    int *const cp = &plain;
    *cp = 7;
    return *pc;
}
