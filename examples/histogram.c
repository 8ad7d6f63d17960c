/*
 * The most frequent face of a die that somebody throws four times.
 *
 *     faultline explain examples/histogram.c
 */
#include <assert.h>

#define FACES 6
#define THROWS 4

extern unsigned char __VERIFIER_nondet_uchar(void);

static int throw_die(void)
{
    return __VERIFIER_nondet_uchar() % FACES;
}

static int most_frequent(void)
{
    int count[FACES]; // fault: missing initialization, = { 0 }
    for (int i = 0; i < THROWS; i++)
        count[throw_die()]++;

    int best = 0;
    for (int face = 1; face < FACES; face++)
        if (count[face] > count[best])
            best = face;
    return best;
}

int main(void)
{
    int face = most_frequent();
    assert(face >= 0 && face < FACES);
    return face;
}
