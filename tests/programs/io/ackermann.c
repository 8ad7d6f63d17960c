#include <stdio.h>

static unsigned calls;
static unsigned ack(unsigned m, unsigned n)
{
    calls++;
    if (!m) return n + 1;
    if (!n) return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int male(int n);
static int female(int n) { return n ? n - male(female(n - 1)) : 1; }
static int male(int n) { return n ? n - female(male(n - 1)) : 0; }

int main(void)
{
    for (unsigned m = 0; m <= 2; m++)
        for (unsigned n = 0; n <= 5; n++)
            printf("ack(%u,%u)=%u\n", m, n, ack(m, n));
    printf("ack(3,4)=%u\n", ack(3, 4));
    printf("calls %u\n", calls);
    printf("%d %d\n", is_even(200), is_odd(77));
    for (int i = 0; i < 15; i++)
        printf("%d/%d ", female(i), male(i));
    putchar('\n');
    return 0;
}
