#include <stdio.h>
#include <string.h>
#include <stdbool.h>

static size_t expand(const char *s, unsigned char *out)
{
    size_t n = 0;
    for (; *s; s++)
        if (s[1] == '-' && s[2]) {
            for (int c = (unsigned char)s[0]; c <= (unsigned char)s[2]; c++)
                out[n++] = c;
            s += 2;
        } else
            out[n++] = *s;
    return n;
}
int main(int argc, char **argv)
{
    unsigned char from[256], to[256], map[256];
    bool sq[256] = { false };
    if (argc < 3) return 1;
    size_t nf = expand(argv[1], from), nt = expand(argv[2], to);
    for (int i = 0; i < 256; i++) map[i] = i;
    for (size_t i = 0; i < nf; i++) map[from[i]] = to[i < nt ? i : nt - 1];
    if (argc > 3)
        for (char *p = argv[3]; *p; p++) sq[(unsigned char)*p] = true;
    int c, last = -1;
    while ((c = getchar()) != EOF) {
        c = map[c];
        if (!(sq[c] && c == last)) putchar(c);
        last = c;
    }
    return 0;
}
