/* Both flags are wrong, and each alone is enough to fail: no single other value saves the run. */
#include <assert.h>

int main(void) {
    int ready, open;
    ready = 0;
    open = 0;
    assert(ready && open);
    return 0;
}
