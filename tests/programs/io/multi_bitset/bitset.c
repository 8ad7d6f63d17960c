#include <stdlib.h>
#include "bitset.h"

#define WORD(i) ((i) / 64)
#define MASK(i) (UINT64_C(1) << ((i) % 64))

bitset bitset_make(unsigned n) { return (bitset){ n, calloc(WORD(n + 63), sizeof(uint64_t)) }; }
void bitset_set(bitset *b, unsigned i, bool v) { if (v) b->w[WORD(i)] |= MASK(i); else b->w[WORD(i)] &= ~MASK(i); }
bool bitset_get(const bitset *b, unsigned i) { return b->w[WORD(i)] & MASK(i); }
unsigned bitset_count(const bitset *b)
{
    unsigned n = 0;
    for (unsigned i = 0; i < WORD(b->n + 63); i++)
        n += __builtin_popcountll(b->w[i]);
    return n;
}
bitset bitset_combine(const bitset *a, const bitset *b, enum bitop op)
{
    bitset r = bitset_make(a->n);
    for (unsigned i = 0; i < WORD(a->n + 63); i++)
        switch (op) {
        case BIT_AND: r.w[i] = a->w[i] & b->w[i]; break;
        case BIT_OR: r.w[i] = a->w[i] | b->w[i]; break;
        case BIT_XOR: r.w[i] = a->w[i] ^ b->w[i]; break;
        }
    return r;
}
int bitset_next(const bitset *b, unsigned from)
{
    for (; from < b->n; from++)
        if (bitset_get(b, from))
            return (int)from;
    return -1;
}
void bitset_free(bitset *b) { free(b->w); b->w = 0; }
