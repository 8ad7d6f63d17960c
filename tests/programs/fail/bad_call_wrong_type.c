#include <stdio.h>

static double half(double x) { return x / 2; }

int main(void)
{
    void (*generic)(void) = (void (*)(void))half;
    int (*f)(int, int) = (int (*)(int, int))generic;
    printf("%d\n", f(1, 2)); //~ bad-call
    return 0;
}
