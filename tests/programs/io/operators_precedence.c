#include <stdio.h>

int main(void)
{
    int a = 5, b = 3, c = -2, r;
    r = a + b * c; printf("%d\n", r);
    r = (a + b) * c; printf("%d\n", r);
    r = a & b | c ^ a; printf("%d\n", r);
    r = a << 1 + 1; printf("%d\n", r);
    r = a > b == 1; printf("%d\n", r);
    r = !a == b; printf("%d\n", r);
    r = -a % b; printf("%d\n", r);
    r = a - b - c; printf("%d\n", r);
    r = a / b * c; printf("%d\n", r);
    r = a = b = 9; printf("%d %d %d\n", r, a, b);
    r = a > b ? a : b > c ? b : c; printf("%d\n", r);
    r = (a++, b--, a * b); printf("%d %d %d\n", r, a, b);
    r = a++ + ++b; printf("%d %d %d\n", r, a, b);
    r = ~-a + - -b; printf("%d\n", r);
    r = sizeof a + 1; printf("%d\n", r);
    r = a < b < c; printf("%d\n", r);
    r = 1 ? 2, 3 : 4; printf("%d\n", r);
    a += b -= c *= 2; printf("%d %d %d\n", a, b, c);
    a <<= 2; b >>= 1; c |= 7; printf("%d %d %d\n", a, b, c);
    a %= 7; b ^= 0x55; c &= 6; printf("%d %d %d\n", a, b, c);
    int arr[] = { 10, 20, 30 }, *p = arr;
    r = *p++ + 1; printf("%d %d\n", r, *p);
    r = ++*p; printf("%d %d\n", r, (int)(p - arr));
    r = *++p; printf("%d\n", r);
    r = 2[arr]; printf("%d\n", r);
    r = -1[arr]; printf("%d\n", r);
    return 0;
}
