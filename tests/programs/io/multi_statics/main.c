#include <stdio.h>
#include "counter.h"

static int value = 1;
static int helper(void) { return value += 1; }

int main(void)
{
    printf("%d %d\n", helper(), helper_a());
    for (int i = 0; i < 3; i++) {
        int a = helper(), b = helper_a(), c = helper_b();
        printf("%d %d %d\n", a, b, c);
    }
    printf("%d %s\n", shared, label);
    shared = 50;
    printf("%d\n", helper_b());
    printf("%d %d\n", SQUARE(4), tentative);
    return value;
}
