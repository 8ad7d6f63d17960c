#ifndef BITSET_H
#define BITSET_H
#include <stdint.h>
#include <stdbool.h>
typedef struct { unsigned n; uint64_t *w; } bitset;
enum bitop { BIT_AND, BIT_OR, BIT_XOR };
bitset bitset_make(unsigned n);
void bitset_set(bitset *, unsigned, bool);
bool bitset_get(const bitset *, unsigned);
unsigned bitset_count(const bitset *);
bitset bitset_combine(const bitset *, const bitset *, enum bitop);
int bitset_next(const bitset *, unsigned);
void bitset_free(bitset *);
#endif
