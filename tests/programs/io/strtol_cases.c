#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <limits.h>

static void l(const char *s, int base)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, base);
    printf("strtol(\"%s\",%d)=%ld stop %d err %d\n", s, base, v, (int)(end - s), errno == ERANGE);
}
static void u(const char *s, int base)
{
    char *end;
    errno = 0;
    unsigned long v = strtoul(s, &end, base);
    printf("strtoul(\"%s\",%d)=%lu stop %d err %d\n", s, base, v, (int)(end - s), errno == ERANGE);
}
int main(void)
{
    l("42", 10); l("  -17xyz", 10); l("+5", 10); l("", 10); l("abc", 10);
    l("0x1F", 16); l("0x1F", 0); l("017", 0); l("017", 10); l("0xg", 0);
    l("1010", 2); l("zz", 36); l("129", 8); l("- 5", 10); l("--5", 10);
    l("9223372036854775807", 10); l("9223372036854775808", 10); l("-9223372036854775808", 10);
    l("-99999999999999999999", 10);
    u("18446744073709551615", 10); u("18446744073709551616", 10); u("-1", 10); u("ffffffff", 16);
    printf("%d %d %d\n", atoi("  12ab"), atoi("-0"), atoi("x"));
    printf("%ld %lld\n", atol("2147483648"), atoll("-5000000000"));
    printf("%lld %llu\n", strtoll("-0x7f", NULL, 16), strtoull("0b", NULL, 10));
    return 0;
}
