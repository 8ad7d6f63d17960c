// A value that is chosen and returned at once: the `return` is to blame like any assignment.
#include <assert.h>

int inhibited = 1; //~ relevant
int separation = 500; //~ relevant

static int biased(void) {
    return inhibited ? separation + 300 : separation; //~ relevant
}

int main(void) {
    int preferred = biased() > 640; //~ relevant
    assert(!preferred);
    return 0;
}
