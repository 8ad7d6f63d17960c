#include <stdio.h>
#include <stdint.h>

static int rank(uint16_t *m, int n)
{
    int r = 0;
    for (int bit = 15; bit >= 0; bit--) {
        int p = r;
        while (p < n && !(m[p] >> bit & 1))
            p++;
        if (p == n)
            continue;
        uint16_t t = m[p];
        m[p] = m[r];
        m[r] = t;
        for (int i = 0; i < n; i++)
            if (i != r && m[i] >> bit & 1)
                m[i] ^= m[r];
        r++;
    }
    return r;
}
static unsigned gf_mul(unsigned a, unsigned b)
{
    unsigned r = 0;
    for (; b; b >>= 1) {
        if (b & 1)
            r ^= a;
        a = a << 1 ^ (a & 0x80 ? 0x11b : 0);
    }
    return r & 0xff;
}
static uint8_t crc8(const char *s)
{
    uint8_t c = 0;
    for (; *s; s++) {
        c ^= *s;
        for (int i = 0; i < 8; i++)
            c = c & 0x80 ? c << 1 ^ 7 : c << 1;
    }
    return c;
}
int main(void)
{
    uint16_t m[] = { 0x8001, 0x4002, 0xc003, 0x00ff, 0x8001, 0x0f0f };
    printf("rank %d:", rank(m, 6));
    for (int i = 0; i < 6; i++)
        printf(" %04x", m[i]);
    printf("\n%02x %02x %02x\n", gf_mul(0x57, 0x83), gf_mul(2, 0x80), gf_mul(0xff, 1));
    unsigned g = 1, order = 0;
    do {
        g = gf_mul(g, 3);
        order++;
    } while (g != 1);
    printf("order %u\n", order);
    printf("%02x %02x\n", crc8("123456789"), crc8(""));
    return 0;
}
