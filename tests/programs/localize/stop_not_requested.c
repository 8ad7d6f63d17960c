/* Figure 2, the other trace: without a request, the flag has no effect. */
// nondet: 0
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p1, *p2, i;
    int stop_on_request, stop_requested;
    p1 = 0;
    p2 = 0;
    i = 1; //~ relevant
    while (i < 10) {
        if (i == 0) {
            p1 = malloc(sizeof(int));
            p2 = malloc(sizeof(int));
        }
        stop_on_request = 0;
        stop_requested = __VERIFIER_nondet_int(); //~ relevant
        if (stop_requested) {
            if (stop_on_request) {
                return 0;
            }
        }
        assert(p1 != 0 && p2 != 0);
        i = i + 1;
    }
    return 0;
}
