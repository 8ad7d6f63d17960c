#include <stdio.h>
#include <limits.h>

static int safe_div(int a, int b, int *r)
{
    if (b == 0 || (a == INT_MIN && b == -1))
        return 0;
    *r = a / b;
    return 1;
}
static int safe_add(int a, int b, int *r)
{
    if ((b > 0 && a > INT_MAX - b) || (b < 0 && a < INT_MIN - b))
        return 0;
    *r = a + b;
    return 1;
}
static int at(const int *v, int n, int i) { return i >= 0 && i < n ? v[i] : -1; }

int main(void)
{
    int r = 0, v[3] = { 7, 8, 9 };
    printf("%d %d %d\n", safe_div(1, 0, &r), safe_div(INT_MIN, -1, &r), safe_div(7, -2, &r));
    printf("%d\n", r);
    printf("%d %d %d\n", safe_add(INT_MAX, 1, &r), safe_add(INT_MIN, -1, &r), safe_add(INT_MAX, INT_MIN, &r));
    printf("%d\n", r);
    printf("%d %d %d\n", at(v, 3, -1), at(v, 3, 3), at(v, 3, 2));
    const int *p = NULL;
    printf("%d\n", p && *p > 3);
    int d = 0;
    printf("%d\n", d != 0 && 10 / d);
    return 0;
}
