#include <stdio.h>
#include <time.h>

static int leap(int y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }

int main(void)
{
    int y, m, d;
    while (scanf("%d-%d-%d", &y, &m, &d) == 3) {
        struct tm tm = { .tm_year = y - 1900, .tm_mon = m - 1, .tm_mday = d, .tm_hour = 12, .tm_isdst = 0 };
        time_t t = timegm(&tm);
        static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
        printf("%lld %s %04d-%02d-%02d leap %d\n", (long long)t, days[tm.tm_wday], tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, leap(y));
    }
    return 0;
}
