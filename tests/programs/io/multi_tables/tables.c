#include "tables.h"

const struct country countries[] = {
#include "countries.inc"
};
const size_t country_count = sizeof countries / sizeof countries[0];
const int primes[] = { 2, 3, 5, 7, 11, 13, 0 };
int primes_total = 2 + 3 + 5 + 7 + 11 + 13;
int table_square(int x) { return header_square(x); }
