/*
 * The first block of a disk that is free, by bisection: all blocks before it
 * are in use, all from there on are free.
 *
 *     faultline explain examples/bisect.c
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int blocks, used;

static int is_free(int block)
{
    return block >= used;
}

static int first_free(void)
{
    int low = 0, high = blocks;
    while (low < high) {
        int middle = (low + high) / 2; // fault: integer overflow, low + (high - low) / 2
        if (is_free(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int main(void)
{
    blocks = __VERIFIER_nondet_int();
    used = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= used && used <= blocks);
    assert(first_free() == used);
    return 0;
}
