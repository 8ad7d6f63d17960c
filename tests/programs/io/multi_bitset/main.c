#include <stdio.h>
#include "bitset.h"

int main(void)
{
    bitset a = bitset_make(200), b = bitset_make(200);
    for (unsigned i = 0; i < 200; i += 3) bitset_set(&a, i, true);
    for (unsigned i = 0; i < 200; i += 5) bitset_set(&b, i, true);
    printf("%u %u\n", bitset_count(&a), bitset_count(&b));
    bitset c = bitset_combine(&a, &b, BIT_AND);
    bitset d = bitset_combine(&a, &b, BIT_XOR);
    printf("%u %u\n", bitset_count(&c), bitset_count(&d));
    for (int i = bitset_next(&c, 0); i >= 0; i = bitset_next(&c, i + 1))
        printf("%d ", i);
    putchar('\n');
    bitset_set(&c, 15, false);
    printf("%d %d\n", bitset_get(&c, 15), bitset_next(&c, 190));
    bitset_free(&a); bitset_free(&b); bitset_free(&c); bitset_free(&d);
    return 0;
}
