#include <stdio.h>
#include "log.h"

static int work(int n)
{
    LOG(LOG_DEBUG, "work(%d)", n);
    if (n < 0) { LOG(LOG_ERROR, "negative input %d", n); return -1; }
    if (n > 100) LOG(LOG_WARN, "%d exceeds %s by %.1f%%", n, "limit", (n - 100) / 1.0);
    return n * 2;
}
int main(void)
{
    int n, sum = 0;
    log_level = LOG_INFO;
    while (scanf("%d", &n) == 1) {
        if (n == 999) { log_level = LOG_DEBUG; continue; }
        sum += work(n);
    }
    LOG(LOG_INFO, "sum %d", sum);
    log_summary();
    return 0;
}
