#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char want[64];

static int parse_list(const char *s)
{
    while (*s) {
        char *e;
        long a = 1, b;
        if (*s != '-') { a = strtol(s, &e, 10); s = e; }
        b = a;
        if (*s == '-') {
            s++;
            b = strtol(s, &e, 10);
            if (e == s) b = 63;
            s = e;
        }
        if (a < 1 || b > 63 || a > b) return -1;
        for (long i = a; i <= b; i++) want[i] = 1;
        if (*s == ',') s++;
        else if (*s) return -1;
    }
    return 0;
}
int main(int argc, char **argv)
{
    if (argc != 3 || strlen(argv[1]) != 1 || parse_list(argv[2])) {
        puts("usage: cut DELIM LIST");
        return 2;
    }
    char line[256], d = argv[1][0];
    while (fgets(line, sizeof line, stdin)) {
        int f = 1, out = 0;
        line[strcspn(line, "\n")] = 0;
        for (char *p = line, *q;; p = q + 1, f++) {
            q = strchrnul(p, d);
            if (f < 64 && want[f])
                printf("%s%.*s", out++ ? ":" : "", (int)(q - p), p);
            if (!*q) break;
        }
        putchar('\n');
    }
    return 0;
}
