#include <stdio.h>
#include <stdint.h>

static uint32_t rotl(uint32_t v, unsigned n) { return (v << (n & 31)) | (v >> (-n & 31)); }
static uint64_t rotr(uint64_t v, unsigned n) { return (v >> (n & 63)) | (v << (-n & 63)); }
static unsigned reverse(unsigned v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}
static int bits(uint64_t v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}
int main(void)
{
    unsigned long a;
    unsigned n;
    while (scanf("%lx %u", &a, &n) == 2) {
        printf("%#lx rot %u: %08x %016llx ", a, n, rotl((uint32_t)a, n),
               (unsigned long long)rotr(a, n));
        printf("rev %08x bits %d", reverse((unsigned)a), bits(a));
        uint64_t mask = n < 64 ? (1ull << n) - 1 : ~0ull;
        printf(" low %llx lowbit %llx\n", (unsigned long long)(a & mask),
               (unsigned long long)(a & -a));
    }
    int neg = -1000;
    for (int i = 0; i < 12; i++)
        printf("%d%c", neg >> i, i == 11 ? '\n' : ' ');
    return 0;
}
