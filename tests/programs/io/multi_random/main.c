#include <stdio.h>
#include "rng.h"

int main(void)
{
    rng a = rng_seed(1), b = rng_seed(1), c = rng_seed(0xdeadbeef);
    int same = 1;
    for (int i = 0; i < 20; i++)
        same &= rng_next(&a) == rng_next(&b);
    printf("same %d\n", same);
    for (int i = 0; i < 5; i++)
        printf("%016llx\n", (unsigned long long)rng_next(&c));
    int hist[10] = { 0 };
    for (int i = 0; i < 1000; i++)
        hist[rng_below(&c, 10)]++;
    for (int i = 0; i < 10; i++)
        printf("%d ", hist[i]);
    putchar('\n');
    double sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += rng_unit(&c);
    printf("%.6f\n", sum / 1000);
    int in = 0;
    for (int i = 0; i < 2000; i++) {
        double x = rng_unit(&a), y = rng_unit(&a);
        in += x * x + y * y < 1;
    }
    printf("%.3f\n", in * 4.0 / 2000);
    return 0;
}
