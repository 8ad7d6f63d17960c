#include <stdio.h>
#include <string.h>
#include <stdlib.h>

enum perm { R = 4, W = 2, X = 1 };
static int symbolic(const char *s)
{
    if (strlen(s) != 9)
        return -1;
    int mode = 0;
    for (int i = 0; i < 9; i++) {
        mode <<= 1;
        if (s[i] == "rwx"[i % 3]) mode |= 1;
        else if (s[i] != '-') return -1;
    }
    return mode;
}
static char *text(int mode, char out[10])
{
    for (int i = 0; i < 9; i++)
        out[i] = mode >> (8 - i) & 1 ? "rwx"[i % 3] : '-';
    out[9] = 0;
    return out;
}
static int apply(int mode, const char *spec)
{
    int who = 0, what = 0;
    char op;
    for (; *spec && strchr("ugoa", *spec); spec++)
        who |= *spec == 'u' ? 0700 : *spec == 'g' ? 0070 : *spec == 'o' ? 0007 : 0777;
    op = *spec++;
    for (; *spec; spec++)
        what |= (*spec == 'r' ? R : *spec == 'w' ? W : X) * 0111;
    switch (op) {
    case '+': return mode | (who & what);
    case '-': return mode & ~(who & what);
    case '=': return (mode & ~who) | (who & what);
    }
    return mode;
}
int main(void)
{
    char w[20], buf[10];
    int mode = 0644;
    while (scanf("%19s", w) == 1) {
        char *e;
        long v = strtol(w, &e, 8);
        if (!*e) mode = (int)v & 0777;
        else if (symbolic(w) >= 0) mode = symbolic(w);
        else mode = apply(mode, w);
        printf("%-10s %04o %s\n", w, mode, text(mode, buf));
    }
    return mode & 0177;
}
