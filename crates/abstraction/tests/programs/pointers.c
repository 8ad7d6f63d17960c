/* Lifetimes, null, function pointers, recursion. */
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static int twice(int x) { return x + x; } // proved: overflow
static int once(int x) { return x; }

static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); } // open: overflow

int main(int argc, char **argv) {
    struct node first = {1, 0}, second = {2, &first};
    int sum = second.value + second.next->value; // proved: null-dereference, uninitialized, overflow
    if (first.next)
        return first.next->value; // never reached
    int (*chosen)(int) = argc > 1 ? twice : once;
    int result = chosen(sum); // proved: bad-call
    assert(result >= 0);      // proved: assert
    char *block = malloc(4);
    block[0] = 1; // proved: null-dereference, use-after-free
    free(block);
    result = depth(result);
    block[1] = 2; // open: use-after-free
    return result; // never reached
}
