#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <ctype.h>

static void pack(const char *s, char *out)
{
    while (*s) {
        int n = 1;
        while (s[n] == *s)
            n++;
        out += n > 1 ? sprintf(out, "%d%c", n, *s) : sprintf(out, "%c", *s);
        s += n;
    }
    *out = 0;
}
static char *unpack(const char *s)
{
    size_t len = 0, cap = 8;
    char *out = malloc(cap);
    if (!out) exit(1);
    while (*s) {
        int n = 1;
        if (isdigit((unsigned char)*s)) {
            char *end;
            n = strtol(s, &end, 10);
            s = end;
        }
        while (n-- > 0) {
            if (len + 1 >= cap && !(out = realloc(out, cap *= 2)))
                exit(1);
            out[len++] = *s;
        }
        s++;
    }
    out[len] = 0;
    return out;
}
int main(void)
{
    char line[128], buf[300];
    while (scanf("%127s", line) == 1) {
        pack(line, buf);
        char *back = unpack(buf);
        printf("%s -> %s (%zu/%zu) %s\n", line, buf, strlen(buf), strlen(line), strcmp(line, back) ? "FAIL" : "ok");
        free(back);
    }
    return 0;
}
