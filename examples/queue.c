/*
 * A queue in a ring of four places. Somebody pushes and pops, nobody knows in
 * which order: does it ever hold more than it can?
 *
 *     faultline explain examples/queue.c
 */
#include <assert.h>
#include <stdbool.h>

#define CAPACITY 4

extern bool __VERIFIER_nondet_bool(void);

static int items[CAPACITY];
static int first, count;

static bool push(int item)
{
    if (count > CAPACITY) // fault: off by one, >=
        return false;
    items[(first + count) % CAPACITY] = item;
    count++;
    return true;
}

static int pop(void)
{
    int item = items[first];
    first = (first + 1) % CAPACITY;
    count--;
    return item;
}

int main(void)
{
    int number = 0;
    for (;;) {
        if (__VERIFIER_nondet_bool())
            push(number++);
        else if (count > 0)
            pop();
        assert(count <= CAPACITY);
    }
}
