#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <math.h>
#include <limits.h>

static int parse(const char *s, int *out)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, 10);
    if (end == s || *end) return EINVAL;
    if (errno) return errno;
    if (v < INT_MIN || v > INT_MAX) return ERANGE;
    *out = (int)v;
    return 0;
}
int main(void)
{
    char w[40];
    while (scanf("%39s", w) == 1) {
        int v = 0, e = parse(w, &v);
        if (e)
            printf("%s: %s\n", w, strerror(e));
        else
            printf("%s: %d\n", w, v);
    }
    errno = 0;
    double d = sqrt(4.0);
    printf("%g %d\n", d, errno);
    errno = 5;
    printf("%d %s\n", errno, strerror(errno));
    printf("%d %d %d\n", EDOM, ERANGE, EINTR);
    return 0;
}
