/* Of an array, only the cell that is read later is relevant. */
#include <assert.h>

int table[4];

int main(void) {
    int i = 2; //~ relevant
    table[0] = 5;
    table[i] = 7; //~ relevant
    table[3] = 9;
    assert(table[2] != 7);
    return 0;
}
