#include <stdio.h>
#include <time.h>
#include <string.h>

int main(void)
{
    time_t t[] = { 0, 951782400, 1709164800, 1000000000, 86399 };
    for (int i = 0; i < 5; i++) {
        struct tm *g = gmtime(&t[i]);
        printf("%04d-%02d-%02d %02d:%02d:%02d wday %d yday %d\n", g->tm_year + 1900, g->tm_mon + 1, g->tm_mday, g->tm_hour,
               g->tm_min, g->tm_sec, g->tm_wday, g->tm_yday);
        char buf[64];
        size_t n = strftime(buf, sizeof buf, "%Y/%m/%d %H-%M-%S %a %b %j", g);
        printf("%zu %s\n", n, buf);
    }
    printf("%.1f\n", difftime(t[3], t[0]));
    printf("%.1f\n", difftime(t[0], t[4]));
    return 0;
}
