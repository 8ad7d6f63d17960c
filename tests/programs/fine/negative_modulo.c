#include <stdio.h>
#include <limits.h>

static int wrap(int i, int n) { return (i % n + n) % n; }

int main(void)
{
    for (int i = -7; i <= 7; i += 3)
        printf("%d/%d %d %d\n", i / 3, i % 3, wrap(i, 3), i / -3);
    printf("%d %d\n", INT_MIN % 2, INT_MIN / 2);
    printf("%d\n", INT_MIN % INT_MAX);
    printf("%d\n", (INT_MIN + 1) / -1);
    printf("%lld\n", LLONG_MIN / 3);
    printf("%d\n", -5 >> 1);
    int ring[5] = { 10, 11, 12, 13, 14 };
    printf("%d %d\n", ring[wrap(-1, 5)], ring[wrap(-11, 5)]);
    return 0;
}
