/* Loops over arrays whose sizes are constants, variables, and products. */
#include <stdlib.h>

unsigned input(void);

int table[8][4];

static int largest(const int *values, unsigned count) {
    int found = values[0]; // proved: out-of-bounds-above
    for (unsigned i = 1; i < count; i++)
        if (values[i] > found) // proved: out-of-bounds-above, out-of-bounds-below
            found = values[i];
    return found;
}

int main(void) {
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 4; column++)
            table[row][column] = row * 4 + column; // proved: array-index, out-of-bounds-above, overflow
    unsigned count = input();
    if (count == 0 || count > 1000)
        return 1;
    int *values = malloc(count * sizeof *values);
    for (unsigned i = 0; i < count; i++)
        values[i] = (int)(i % 7); // proved: out-of-bounds-above, null-dereference, use-after-free, division-by-zero
    int most = largest(values, count);
    free(values); // proved: double-free, invalid-free
    int back = 7;
    while (back >= 0) {
        table[back][0] = most; // proved: array-index, out-of-bounds-below
        back--;                // proved: overflow
    }
    return table[back + 1][3]; // proved: array-index
}
