/* The draft, section 2.1, first: what is overwritten by an input is not relevant, the input is. */
// nondet: 0
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x, y, z;
    x = 1;
    y = 2;
    z = 3;
    z = __VERIFIER_nondet_int(); //~ relevant
    assert(z > 10);
    return x + y;
}
