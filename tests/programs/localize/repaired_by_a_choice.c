/* Whatever the first is, the second input can make up for it: only the later one is relevant. */
// nondet: 3 -3
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned first = __VERIFIER_nondet_uint();
    unsigned second = __VERIFIER_nondet_uint(); //~ relevant
    assert(first + second != 0);
    return 0;
}
