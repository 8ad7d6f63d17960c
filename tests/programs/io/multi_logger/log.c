#include <stdio.h>
#include <stdarg.h>
#include "log.h"

enum log_level log_level;
static unsigned counts[LOG_LEVELS], hidden;
static const char *const names[LOG_LEVELS] = { [LOG_DEBUG] = "debug", [LOG_INFO] = "info", [LOG_WARN] = "WARN", [LOG_ERROR] = "ERROR" };

void log_write(enum log_level l, const char *fn, const char *fmt, ...)
{
    if (l < log_level) { hidden++; return; }
    counts[l]++;
    va_list ap;
    va_start(ap, fmt);
    printf("%-5s %s: ", names[l], fn);
    vfprintf(stdout, fmt, ap);
    putchar('\n');
    va_end(ap);
}
void log_summary(void)
{
    for (int i = 0; i < LOG_LEVELS; i++)
        printf("%s=%u ", names[i], counts[i]);
    printf("hidden=%u\n", hidden);
}
