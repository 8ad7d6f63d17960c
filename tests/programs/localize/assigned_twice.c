/* The draft, section 3.1, first: only the last assignment counts. */
#include <assert.h>

int main(void) {
    int x;
    x = 7;
    x = 7; //~ relevant
    assert(x > 10);
    return 0;
}
