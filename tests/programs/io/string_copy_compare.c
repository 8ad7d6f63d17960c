#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char b[16];
    strcpy(b, "abc");
    strcat(b, "def");
    printf("%s\n", b);
    strncat(b, "ghijkl", 3);
    printf("%s\n", b);
    memset(b, '-', sizeof b);
    strncpy(b, "xy", 5);
    printf("%d %d %d %c\n", b[2], b[4], b[1], b[5]);
    strncpy(b, "overlong", 4);
    b[4] = 0;
    puts(b);
    printf("%d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "a")), strcmp("", ""));
    printf("%d %d\n", sign(strcmp("ab", "abc")), sign(strncmp("abX", "abY", 2)));
    printf("%d\n", sign(strcmp("\xff", "a")));
    printf("%d %d\n", sign(memcmp("a\0b", "a\0c", 3)), memcmp("zz", "zy", 1));
    char *d = strdup("duplicate"), *e = strndup("truncated", 5);
    d[0] = 'D';
    printf("%s %s\n", d, e);
    free(d);
    free(e);
    memcpy(b, "0123456789", 11);
    memmove(b + 2, b, 8);
    puts(b);
    memmove(b, b + 3, 7);
    puts(b);
    char *end = stpcpy(stpcpy(b, "one"), "two");
    printf("%s %d\n", b, (int)(end - b));
    char *m = mempcpy(b, "XYZ", 3);
    printf("%s %c\n", b, *m);
    return 0;
}
