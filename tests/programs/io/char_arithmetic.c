#include <stdio.h>

int main(void)
{
    char c = 'A';
    signed char s = 127;
    unsigned char u = 255;
    c += 1;
    printf("%c %d\n", c, c);
    s++;
    u++;
    printf("%d %d\n", s, u);
    s = -128;
    s--;
    u--;
    printf("%d %d\n", s, u);
    s = 200;
    u = -1;
    printf("%d %d\n", s, u);
    printf("%d %d\n", s == (char)200, u == -1);
    printf("%d\n", 'a' + 'b');
    printf("%d\n", (char)('a' + 'b'));
    printf("%d %d\n", '\xff', '\0');
    printf("%zu %zu\n", sizeof 'a', sizeof(char));
    printf("%d\n", 'AB' == ('A' << 8 | 'B'));
    for (c = 'x'; c != 'd'; c = c == 'z' ? 'a' : c + 1)
        putchar(c);
    putchar('\n');
    unsigned char sum = 0;
    for (const char *p = "checksum me"; *p; p++)
        sum += *p;
    printf("%d %d\n", sum, (unsigned char)-sum);
    short h = (short)40000;
    unsigned short w = (unsigned short)-2;
    printf("%d %d %d\n", h, w, (short)(h + w));
    c = -1;
    printf("%d %d\n", c >> 1, (unsigned char)c >> 1);
    return 0;
}
