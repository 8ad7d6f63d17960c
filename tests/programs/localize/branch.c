/* The draft, section 3.2: the assignment in the branch, and the one that led there. */
// nondet: 0
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x, y, input;
    input = __VERIFIER_nondet_int(); //~ relevant
    x = 1;
    y = input - 42; //~ relevant
    if (y < 0) {
        x = 0; //~ relevant
    }
    assert(x != 0);
    return 0;
}
