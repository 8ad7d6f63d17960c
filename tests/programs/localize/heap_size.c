/* The size that is asked for, and the index. */
#include <stdlib.h>

int main(void) {
    int *a = malloc(3 * sizeof *a); //~ relevant
    if (a == 0) {
        return 1;
    }
    int i = 3; //~ relevant
    a[0] = 1;
    a[i] = 2;
    return a[0];
}
