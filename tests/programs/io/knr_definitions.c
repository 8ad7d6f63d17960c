#include <stdio.h>

int add(a, b)
    int a, b;
{
    return a + b;
}
double scale(v, k, s)
    double v;
    int k;
    char *s;
{
    printf("%s:", s);
    return v * k;
}
static int narrow(c, h, f)
    char c;
    short h;
    float f;
{
    return c + h + (int)(f * 10);
}
int no_args()
{
    return 12;
}
int (*table[])() = { no_args, no_args };

int main()
{
    printf("%d\n", add(2, 3));
    printf("%g\n", scale(1.5, 4, "scaled"));
    printf("%d\n", narrow('A', 100, 2.5));
    printf("%d %d\n", no_args(), table[1]());
    return 0;
}
