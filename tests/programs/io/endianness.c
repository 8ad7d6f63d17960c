#include <stdio.h>
#include <string.h>
#include <stdint.h>

static uint32_t be32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static void put_le64(unsigned char *p, uint64_t v) { for (int i = 0; i < 8; i++, v >>= 8) p[i] = v; }

int main(void)
{
    union { uint32_t w; unsigned char b[4]; uint16_t h[2]; } u = { .w = 0x11223344 };
    printf("%02x %02x %02x %02x | %04x %04x\n", u.b[0], u.b[1], u.b[2], u.b[3], u.h[0], u.h[1]);
    u.b[3] = 0xff;
    printf("%08x\n", u.w);
    printf("%08x\n", be32(u.b));
    uint64_t q = 0x0102030405060708ULL, r;
    unsigned char raw[8];
    put_le64(raw, q);
    memcpy(&r, raw, 8);
    printf("%d\n", q == r);
    for (unsigned char *p = (unsigned char *)&q; p < (unsigned char *)(&q + 1); p++)
        printf("%d", *p);
    putchar('\n');
    float f = 1.0f;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    printf("%08x\n", bits);
    double d = -2.0;
    unsigned char db[sizeof d];
    memcpy(db, &d, sizeof d);
    for (int i = 7; i >= 0; i--)
        printf("%02x", db[i]);
    putchar('\n');
    short s = 1;
    puts(*(char *)&s ? "little" : "big");
    return 0;
}
