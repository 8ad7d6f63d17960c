#include <stdio.h>
#include <stdarg.h>
#include <string.h>

static int scan(const char *line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsscanf(line, fmt, ap);
    va_end(ap);
    return n;
}
static void out(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(f, fmt, ap);
    va_end(ap);
}
static char *build(char *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsprintf(b, fmt, ap);
    va_end(ap);
    return b;
}
int main(void)
{
    int h, m, s, n;
    char zone[8], buf[64];
    double v;
    n = scan("12:34:56 UTC 1.5", "%d:%d:%d %7s %lf", &h, &m, &s, zone, &v);
    out(stdout, "%d: %02d.%02d.%02d %s %g\n", n, h, m, s, zone, v);
    puts(build(buf, "%s|%5s|%-5s|%c", "a", "b", "c", 'd'));
    signed char hh;
    unsigned char uh;
    size_t z;
    n = scan("-5 250 99999999999", "%hhd %hhu %zu", &hh, &uh, &z);
    out(stdout, "%d: %d %d %zu\n", n, hh, uh, z);
    n = scan("0x1A 0755 12", "%i %i %i", &h, &m, &s);
    out(stdout, "%d: %d %d %d\n", n, h, m, s);
    out(stderr, "hidden %d\n", 1);
    return 0;
}
