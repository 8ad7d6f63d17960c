#include <stdio.h>
#include <string.h>

struct empty { };
struct tail { int n; char rest[]; };

int main(void)
{
    struct empty e[4], *p = e;
    printf("%zu\n", sizeof e);
    (void)p;
    static struct tail t = { 3 };
    printf("%d\n", t.n);
    char a[3] = "ab";
    printf("%.0s|%.*s|\n", "unused", 0, a);
    printf("%d\n", memcmp(a, "xy", 0));
    char none[1] = { 0 };
    printf("%zu [%s]\n", strlen(none), none);
    fwrite(a, 1, 0, stdout);
    fwrite(a, 0, 5, stdout);
    return 0;
}
