#include <stdio.h>
#include <stdarg.h>
#include <string.h>

static char out[512];
static size_t at;

static void put(char c) { if (at < sizeof out - 1) out[at++] = c; }
static void num(unsigned long long v, unsigned base, int neg, int width, char pad)
{
    char tmp[66];
    int n = 0;
    do {
        tmp[n++] = "0123456789abcdef"[v % base];
        v /= base;
    } while (v);
    if (neg) tmp[n++] = '-';
    while (width-- > n) put(pad);
    while (n) put(tmp[--n]);
}
static int vformat(const char *f, va_list ap)
{
    size_t start = at;
    for (; *f; f++) {
        if (*f != '%') { put(*f); continue; }
        int width = 0, lng = 0;
        char pad = ' ';
        if (*++f == '0') { pad = '0'; f++; }
        while (*f >= '0' && *f <= '9') width = width * 10 + *f++ - '0';
        if (*f == '*') { width = va_arg(ap, int); f++; }
        while (*f == 'l') { lng++; f++; }
        long long v;
        switch (*f) {
        case 'd':
            v = lng ? va_arg(ap, long) : va_arg(ap, int);
            num(v < 0 ? -(unsigned long long)v : (unsigned long long)v, 10, v < 0, width, pad);
            break;
        case 'x': case 'b': case 'o':
            num(lng ? va_arg(ap, unsigned long) : va_arg(ap, unsigned), *f == 'x' ? 16 : *f == 'b' ? 2 : 8, 0, width, pad);
            break;
        case 'c': put((char)va_arg(ap, int)); break;
        case 's': for (const char *s = va_arg(ap, char *) ?: "(null)"; *s;) put(*s++); break;
        case '%': put('%'); break;
        default: put('?');
        }
    }
    out[at] = 0;
    return (int)(at - start);
}
static int format(const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    int n = vformat(f, ap);
    va_end(ap);
    return n;
}
int main(void)
{
    int n = format("%d %5d %05d|%x|%08b|%o\n", -42, 7, -7, 255, 5, 64);
    n += format("%ld %lx %c%c %s %s %%\n", -9223372036854775807L - 1, 0xdeadbeefcafeUL, 'o', 'k', "str", (char *)0);
    n += format("%*d|%*x|%d %d %d %d\n", 6, 1, 4, 0xab, 1, 2, 3, 4);
    fputs(out, stdout);
    printf("%d %d\n", n, n == (int)strlen(out));
    return 0;
}
