#include <stdio.h>
#include <string.h>
#include "tables.h"

static const struct country local[] = {
#include "countries.inc"
};

int main(void)
{
    for (size_t i = 0; i < country_count; i++)
        printf("%s %s %d\n", countries[i].code, countries[i].name, countries[i].population);
    printf("%d %d\n", countries == local, !strcmp(countries[0].code, local[0].code));
    printf("%d %d\n", sizeof primes_total == 4, primes_total);
    int s = 0;
    for (int i = 0; primes[i]; i++)
        s += primes[i];
    printf("%d %d\n", s, s == primes_total);
    printf("%d %d\n", header_square(5), table_square(6));
    return 0;
}
