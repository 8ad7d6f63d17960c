#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint32_t K[64], H0[8];
static void constants(void)
{
    int n = 0;
    for (int p = 2; n < 64; p++) {
        int prime = 1;
        for (int d = 2; d * d <= p; d++)
            if (p % d == 0) prime = 0;
        if (!prime) continue;
        long double r = p, x = p;
        for (int i = 0; i < 60; i++) x = (2 * x + r / (x * x)) / 3;
        K[n] = (uint32_t)((x - (int)x) * 4294967296.0L);
        if (n < 8) {
            for (x = r; x * x - r > 1e-17L && x > 1;) {
                long double y = (x + r / x) / 2;
                if (y >= x) break;
                x = y;
            }
            H0[n] = (uint32_t)((x - (int)x) * 4294967296.0L);
        }
        n++;
    }
}
#define ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
static void block(uint32_t h[8], const uint8_t *p)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = ROR(w[i - 15], 7) ^ ROR(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = ROR(w[i - 2], 17) ^ ROR(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (ROR(s[4], 6) ^ ROR(s[4], 11) ^ ROR(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i];
        uint32_t t2 = (ROR(s[0], 2) ^ ROR(s[0], 13) ^ ROR(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}
static void digest(const char *text, size_t n)
{
    uint32_t h[8];
    uint8_t buf[256] = { 0 };
    memcpy(h, H0, sizeof h);
    memcpy(buf, text, n);
    buf[n] = 0x80;
    size_t total = (n + 9 + 63) / 64 * 64;
    for (int i = 0; i < 8; i++)
        buf[total - 1 - i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
    for (size_t i = 0; i < total; i += 64)
        block(h, buf + i);
    for (int i = 0; i < 8; i++)
        printf("%08x", h[i]);
    putchar('\n');
}
int main(void)
{
    constants();
    printf("%08x %08x %08x\n", K[0], K[63], H0[7]);
    char line[128];
    while (fgets(line, sizeof line, stdin))
        digest(line, strcspn(line, "\n"));
    return 0;
}
