#include <stdio.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

static int decode(const unsigned char **p)
{
    int c = *(*p)++, n = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    if (n)
        c &= 0x3f >> n;
    while (n--)
        c = c << 6 | (*(*p)++ & 0x3f);
    return c;
}
static int encode(unsigned c, char *o)
{
    if (c < 0x80) { *o = c; return 1; }
    if (c < 0x800) { o[0] = 0xc0 | c >> 6; o[1] = 0x80 | (c & 63); return 2; }
    if (c < 0x10000) { o[0] = 0xe0 | c >> 12; o[1] = 0x80 | (c >> 6 & 63); o[2] = 0x80 | (c & 63); return 3; }
    o[0] = 0xf0 | c >> 18; o[1] = 0x80 | (c >> 12 & 63); o[2] = 0x80 | (c >> 6 & 63); o[3] = 0x80 | (c & 63);
    return 4;
}
int main(void)
{
    const char *s = u8"h\u00e9llo \u20ac \U0001f600";
    const unsigned char *p = (const unsigned char *)s;
    printf("%zu:", strlen(s));
    while (*p)
        printf(" %x", decode(&p));
    putchar('\n');
    char16_t u16[] = u"\u20ac\U0001f600";
    char32_t u32[] = U"\u20ac\U0001f600";
    for (size_t i = 0; i < sizeof u16 / 2; i++)
        printf("%04x ", u16[i]);
    for (size_t i = 0; i < sizeof u32 / 4; i++)
        printf("%x ", u32[i]);
    putchar('\n');
    for (size_t i = 0; u32[i]; i++) {
        char o[5] = "";
        int n = encode(u32[i], o);
        printf("%d %s\n", n, o);
    }
    printf("%d %d %d\n", L'\u00e9', u'\u00e9', '\377' < 0);
    return 0;
}
