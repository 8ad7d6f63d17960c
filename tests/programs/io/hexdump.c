#include <stdio.h>
#include <ctype.h>

int main(void)
{
    unsigned char buf[16];
    size_t n;
    unsigned long off = 0;
    while ((n = fread(buf, 1, sizeof buf, stdin))) {
        printf("%08lx ", off);
        for (size_t i = 0; i < 16; i++) {
            if (i == 8) putchar(' ');
            if (i < n) printf(" %02x", buf[i]);
            else fputs("   ", stdout);
        }
        fputs("  |", stdout);
        for (size_t i = 0; i < n; i++)
            putchar(isprint(buf[i]) ? buf[i] : '.');
        puts("|");
        off += n;
    }
    printf("%08lx\n", off);
    return 0;
}
