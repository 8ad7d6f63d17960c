#include <stdio.h>
#include <string.h>
#include <stdint.h>

#define LIMIT 20000
static uint32_t bits[LIMIT / 32 + 1];
#define SET(n) (bits[(n) >> 5] |= 1u << ((n) & 31))
#define GET(n) (bits[(n) >> 5] >> ((n) & 31) & 1)

int main(void)
{
    for (unsigned i = 2; i * i <= LIMIT; i++)
        if (!GET(i))
            for (unsigned j = i * i; j <= LIMIT; j += i)
                SET(j);
    int count = 0, twins = 0, gap = 0, at = 0;
    unsigned prev = 2, xr = 0;
    for (unsigned i = 2; i <= LIMIT; i++)
        if (!GET(i)) {
            count++;
            xr ^= i;
            if (i - prev == 2) twins++;
            if ((int)(i - prev) > gap) { gap = i - prev; at = prev; }
            prev = i;
        }
    printf("%d primes, %d twins, gap %d after %d, last %u, xor %u\n", count, twins, gap, at, prev, xr);
    unsigned n;
    while (scanf("%u", &n) == 1) {
        printf("%u =", n);
        for (unsigned p = 2; p * p <= n; p++)
            while (n % p == 0) {
                printf(" %u", p);
                n /= p;
            }
        printf(n > 1 ? " %u\n" : "\n", n);
    }
    return 0;
}
