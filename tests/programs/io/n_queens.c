#include <stdio.h>

static int solutions, first[12];
static void place(int n, int row, unsigned cols, unsigned d1, unsigned d2, int *q)
{
    if (row == n) {
        if (!solutions++)
            for (int i = 0; i < n; i++)
                first[i] = q[i];
        return;
    }
    unsigned free_ = ~(cols | d1 | d2) & ((1u << n) - 1);
    while (free_) {
        unsigned bit = free_ & -free_;
        free_ ^= bit;
        q[row] = __builtin_ctz(bit);
        place(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1, q);
    }
}
int main(void)
{
    int q[12];
    for (int n = 1; n <= 7; n++) {
        solutions = 0;
        place(n, 0, 0, 0, 0, q);
        printf("%d: %d\n", n, solutions);
    }
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++)
            putchar(first[i] == j ? 'Q' : '.');
        putchar('\n');
    }
    return 0;
}
