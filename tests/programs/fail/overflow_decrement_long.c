#include <limits.h>

static long next = LONG_MIN + 1;
static long take(void)
{
    return next--; //~ overflow
}

int main(void)
{
    long s = 0;
    for (int i = 0; i < 2; i++)
        s |= take();
    return s == 0;
}
