#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <limits.h>

static char *binary(uint64_t v, int width, char *out)
{
    char *p = out;
    for (int i = width - 1; i >= 0; i--) {
        *p++ = '0' + (int)(v >> i & 1);
        if (i && i % 8 == 0)
            *p++ = '_';
    }
    *p = 0;
    return out;
}
static uint64_t parse(const char *s)
{
    uint64_t v = 0;
    for (; *s; s++)
        if (*s == '0' || *s == '1')
            v = v << 1 | (*s & 1);
    return v;
}
static const char *base(unsigned v, int b, char buf[static 40])
{
    char *p = buf + 39;
    *p = 0;
    do
        *--p = "0123456789abcdefghijklmnopqrstuvwxyz"[v % b];
    while (v /= b);
    return p;
}
int main(void)
{
    char buf[80], b2[40];
    int8_t a = -5;
    printf("%s\n", binary((uint8_t)a, 8, buf));
    printf("%s\n", binary((uint16_t)12345, 16, buf));
    printf("%s\n", binary(UINT_MAX - 1, 32, buf));
    printf("%s\n", binary(UINT64_C(0x8000000000000001), 64, buf));
    printf("%d\n", parse(binary(0xdeadbeef, 32, buf)) == 0xdeadbeef);
    for (int b = 2; b <= 36; b += 7)
        printf("%s ", base(1000000, b, b2));
    putchar('\n');
    unsigned gray = 0;
    for (unsigned i = 0; i < 8; i++) {
        gray = i ^ i >> 1;
        printf("%.3s ", binary(gray, 3, buf));
    }
    putchar('\n');
    return 0;
}
