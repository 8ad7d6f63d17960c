/*
 * Booked time slots, in minutes of a day: two ranges overlap if some minute
 * belongs to both.
 *
 *     faultline explain examples/ranges.c
 */
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct range {
    int begin, end; /* the end is not in it */
};

static int larger(int one, int other)
{
    return one > other ? one : other;
}

static int smaller(int one, int other)
{
    return one < other ? one : other;
}

/* The minutes that belong to both; empty if there are none. */
static struct range common(struct range one, struct range other)
{
    struct range both;
    both.begin = larger(one.begin, other.begin);
    both.end = smaller(one.end, one.end); // fault: wrong variable, the second one should be other.end
    return both;
}

static bool has(struct range range, int minute)
{
    return range.begin <= minute && minute < range.end;
}

static struct range any_range(void)
{
    struct range range = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
    __VERIFIER_assume(0 <= range.begin && range.begin < range.end && range.end <= 24 * 60);
    return range;
}

int main(void)
{
    struct range one = any_range(), other = any_range();
    int minute = __VERIFIER_nondet_int();
    assert(has(common(one, other), minute) == (has(one, minute) && has(other, minute)));
    return 0;
}
