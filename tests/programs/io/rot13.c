#include <stdio.h>

static int rot(int c)
{
    if (c >= 'a' && c <= 'z') return 'a' + (c - 'a' + 13) % 26;
    if (c >= 'A' && c <= 'Z') return 'A' + (c - 'A' + 13) % 26;
    return c;
}
int main(void)
{
    int c, changed = 0;
    while ((c = getchar()) != EOF) {
        int r = rot(c);
        changed += r != c;
        if (rot(r) != c)
            return 1;
        putchar(r);
    }
    printf("-- %d letters\n", changed);
    return 0;
}
