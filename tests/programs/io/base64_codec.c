#include <stdio.h>
#include <string.h>

static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const unsigned char *in, size_t n, char *out)
{
    char *o = out;
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = in[i] << 16;
        if (i + 1 < n) v |= in[i + 1] << 8;
        if (i + 2 < n) v |= in[i + 2];
        *o++ = set[v >> 18];
        *o++ = set[v >> 12 & 63];
        *o++ = i + 1 < n ? set[v >> 6 & 63] : '=';
        *o++ = i + 2 < n ? set[v & 63] : '=';
    }
    *o = 0;
    return o - out;
}
static size_t decode(const char *in, unsigned char *out)
{
    unsigned acc = 0, bits = 0;
    size_t n = 0;
    for (; *in && *in != '='; in++) {
        const char *p = strchr(set, *in);
        if (!p) continue;
        acc = acc << 6 | (unsigned)(p - set);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = acc >> bits;
        }
    }
    return n;
}
int main(void)
{
    char line[64], enc[128];
    unsigned char dec[64];
    while (fgets(line, sizeof line, stdin)) {
        size_t n = strcspn(line, "\n");
        size_t m = encode((unsigned char *)line, n, enc);
        size_t k = decode(enc, dec);
        printf("%zu %zu %s %s\n", n, m, enc, k == n && !memcmp(dec, line, n) ? "ok" : "BAD");
    }
    unsigned char all[48];
    for (int i = 0; i < 48; i++)
        all[i] = i * 37;
    encode(all, 48, enc);
    puts(enc);
    return 0;
}
