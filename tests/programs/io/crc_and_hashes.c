#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint32_t table[256];
static void init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        table[i] = c;
    }
}
static uint32_t crc32(const void *p, size_t n)
{
    const uint8_t *b = p;
    uint32_t c = ~0u;
    while (n--)
        c = table[(c ^ *b++) & 0xff] ^ c >> 8;
    return ~c;
}
static uint32_t adler(const char *s)
{
    uint32_t a = 1, b = 0;
    for (; *s; s++)
        b = (b + (a = (a + (uint8_t)*s) % 65521)) % 65521;
    return b << 16 | a;
}
static uint32_t murmurish(const char *s, uint32_t seed)
{
    uint32_t h = seed, k;
    size_t n = strlen(s), i;
    for (i = 0; i + 4 <= n; i += 4) {
        memcpy(&k, s + i, 4);
        k *= 0xcc9e2d51;
        k = k << 15 | k >> 17;
        h ^= k * 0x1b873593;
        h = (h << 13 | h >> 19) * 5 + 0xe6546b64;
    }
    for (k = 0; i < n; i++)
        k = k << 8 | (uint8_t)s[i];
    h ^= k * 0xcc9e2d51 ^ (uint32_t)n;
    h = (h ^ h >> 16) * 0x85ebca6b;
    return h ^ h >> 13;
}
int main(void)
{
    init();
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        printf("%08x %08x %08x %s\n", crc32(line, strlen(line)), adler(line), murmurish(line, 17), line);
    }
    return 0;
}
