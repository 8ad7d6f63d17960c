/* What each round adds is needed, and every step of the counter; what is filled in before, too. */
#include <assert.h>

int main(void) {
    int values[32];
    int sum = 0; //~ relevant
    for (int i = 0; i < 32; i++) { //~ relevant
        values[i] = 3 * i + 1; //~ relevant
    }
    for (int i = 0; i < 32; i++) { //~ relevant
        sum += values[i]; //~ relevant
    }
    assert(sum == 1521);
    return 0;
}
