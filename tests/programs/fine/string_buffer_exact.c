#include <stdio.h>
#include <string.h>
#include <stdlib.h>

int main(void)
{
    char five[6] = "12345", raw[5] = "12345";
    printf("%zu %.5s %.*s\n", strlen(five), raw, 3, raw + 2);
    char b[8];
    strcpy(b, "1234567");
    strncpy(b, "ab", sizeof b);
    strncat(b, "cdefghij", sizeof b - strlen(b) - 1);
    printf("%s %zu\n", b, strlen(b));
    printf("%d %s\n", snprintf(b, sizeof b, "%s", "much too long"), b);
    sprintf(b, "%07d", 42);
    puts(b);
    char *d = malloc(strlen(five) + 1);
    if (!d)
        return 1;
    strcpy(d, five);
    puts(d);
    free(d);
    printf("%d %d\n", strncmp(raw, "12345678", 5), memcmp(raw, five, 5));
    printf("%td\n", (char *)memchr(raw, '5', sizeof raw) - raw);
    printf("%zu\n", strnlen(raw, sizeof raw));
    return 0;
}
