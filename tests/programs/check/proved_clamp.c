// proved
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

int main(void)
{
    int value = clamp(__VERIFIER_nondet_int(), -5, 5);
    assert(value >= -5 && value <= 5);
    return 0;
}
