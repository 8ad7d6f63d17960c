#include <stdio.h>

static const char *http(int code)
{
    switch (code) {
    case 100: return "continue";
    case 200: return "ok";
    case 204: return "no content";
    case 301: case 302: case 307: case 308: return "redirect";
    case 400 ... 403: return "client";
    case 404: return "not found";
    case 500: return "server";
    case -1: return "none";
    case 0x7fffffff: return "max";
    case -0x7fffffff - 1: return "min";
    default: return code > 500 && code < 600 ? "server other" : "unknown";
    }
}
static int nested(int a, char b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 'x': return 11;
        case 'y': break;
        default: return 12;
        }
        return 13;
    case 2: {
        int t = 0;
        for (;;) {
            switch (t++) {
            case 3: goto out;
            case 1: continue;
            }
            if (t > 10)
                break;
        }
    out:
        return 20 + t;
    }
    default:
        return 0;
    }
}
int main(void)
{
    int c;
    while (scanf("%d", &c) == 1)
        printf("%d %s\n", c, http(c));
    printf("%d %d %d %d %d\n", nested(1, 'x'), nested(1, 'y'), nested(1, 'z'), nested(2, 0), nested(3, 0));
    unsigned long long big = 0xffffffffffffffffULL;
    switch (big) {
    case 0xffffffffULL: puts("low"); break;
    case 0xffffffffffffffffULL: puts("all"); break;
    }
    switch ((signed char)-3) {
    case -3: puts("minus three"); break;
    case 253: puts("wrong"); break;
    }
    return 0;
}
