/* The draft, section 4.1.2. */
#include <assert.h>

int main(void) {
    int x, y, z;
    x = 1;
    y = 2;
    z = 3; //~ relevant
    assert(z > 10);
    return x + y;
}
