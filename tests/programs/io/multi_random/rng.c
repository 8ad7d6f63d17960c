#include "rng.h"

rng rng_seed(uint64_t s)
{
    rng r;
    for (int i = 0; i < 2; i++) {
        uint64_t z = s += 0x9e3779b97f4a7c15ULL;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
        r.s[i] = z ^ z >> 31;
    }
    return r;
}
uint64_t rng_next(rng *r)
{
    uint64_t a = r->s[0], b = r->s[1], out = a + b;
    b ^= a;
    r->s[0] = (a << 24 | a >> 40) ^ b ^ b << 16;
    r->s[1] = b << 37 | b >> 27;
    return out;
}
unsigned rng_below(rng *r, unsigned n) { return (unsigned)((rng_next(r) >> 32) * n >> 32); }
double rng_unit(rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }
