#include <stdio.h>
#include <string.h>
#include <stdarg.h>

static int fmt(char *buf, size_t n, const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    int r = vsnprintf(buf, n, f, ap);
    va_end(ap);
    return r;
}

int main(void)
{
    char buf[16];
    for (size_t n = 1; n <= sizeof buf; n += 3) {
        memset(buf, '#', sizeof buf);
        int r = snprintf(buf, n, "%d-%s", 12345, "abcdef");
        printf("%zu: %d [%s] %zu\n", n, r, buf, strlen(buf));
    }
    printf("%d\n", snprintf(NULL, 0, "%08.3f|%x", 3.14159, 255));
    int r = fmt(buf, sizeof buf, "%s=%lld%c", "key", 1LL << 40, ';');
    printf("%d [%s]\n", r, buf);
    int at = 0;
    char line[40];
    for (int i = 0; at < (int)sizeof line - 1 && i < 20; i++)
        at += snprintf(line + at, sizeof line - at, "%d,", i * i);
    printf("[%s] %d\n", line, at > (int)sizeof line);
    char big[64];
    r = sprintf(big, "%5.1f%%", 99.5);
    r += sprintf(big + r, " %s", "done");
    printf("%d %s\n", r, big);
    return 0;
}
