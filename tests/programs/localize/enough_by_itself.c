/* The draft, section 2.1, second: the input alone makes the assertion fail, whatever y is. */
// nondet: -1
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x, y;
    y = 7;
    x = __VERIFIER_nondet_int(); //~ relevant
    assert(x >= 0 && y >= 0);
    return 0;
}
