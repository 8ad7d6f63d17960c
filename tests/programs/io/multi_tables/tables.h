#ifndef TABLES_H
#define TABLES_H
#include <stddef.h>
struct country { char code[3]; const char *name; int population; };
extern const struct country countries[];
extern const size_t country_count;
extern const int primes[];
extern int primes_total;
int table_square(int);
static inline int header_square(int x)
{
    static int calls;
    return x * x + calls++;
}
#endif
