#include <stdio.h>
#include <stdint.h>

int main(void)
{
    unsigned u = 1u << 31;
    printf("%u %u\n", u, u >> 31);
    uint64_t w = 1ull << 63;
    printf("%d\n", (int)(w >> 63));
    printf("%d\n", 1 << 30);
    unsigned char c = 0xff;
    printf("%d %u\n", c << 8, (unsigned)c << 24);
    for (unsigned n = 0; n < 64; n += 16)
        printf("%llx ", (unsigned long long)(~0ull >> n));
    putchar('\n');
    int s = 31;
    printf("%d %d\n", -1 >> s, 0 << s);
    uint16_t h = 0xffff;
    h <<= 4;
    h >>= 8;
    printf("%x\n", h);
    unsigned __int128 q = (unsigned __int128)1 << 127;
    printf("%d\n", (int)(q >> 127));
    return 0;
}
