// The smaller one is taken.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int most = b;
    if (a < b) // fix: if (a > b)
        most = a;
    assert(most >= a);
    assert(most >= b);
    return 0;
}
