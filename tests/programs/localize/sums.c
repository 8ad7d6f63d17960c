/* The draft, section 3.1, second, by the definition: both assignments to x are relevant, the one to y is not. Of the inputs,
   the last one can make up for the others. */
// nondet: -5 1 1
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int total(int x, int y, int z) {
    x = x + y; //~ relevant
    x = x + z; //~ relevant
    y = y + z;
    assert(x >= 0);
    return y;
}

int main(void) {
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    int third = __VERIFIER_nondet_int(); //~ relevant
    return total(first, second, third); //~ relevant
}
