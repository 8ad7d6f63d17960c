/* A divisor of zero would also leave the trace, but by failing earlier: that saves nothing. */
#include <assert.h>

int main(void) {
    int divisor = 4;
    int safe = 100 / divisor;
    int count = 1; //~ relevant
    assert(count != 1);
    return safe;
}
