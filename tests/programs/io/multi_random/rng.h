#pragma once
#include <stdint.h>
typedef struct { uint64_t s[2]; } rng;
rng rng_seed(uint64_t);
uint64_t rng_next(rng *);
unsigned rng_below(rng *, unsigned);
double rng_unit(rng *);
