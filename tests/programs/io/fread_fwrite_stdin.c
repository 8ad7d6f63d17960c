#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char buf[7];
    size_t n, total = 0, chunks = 0;
    unsigned sum = 0;
    while ((n = fread(buf, 1, sizeof buf, stdin)) > 0) {
        chunks++;
        total += n;
        for (size_t i = 0; i < n; i++)
            sum = (sum >> 1 | sum << 15) + buf[i] & 0xffff;
        for (size_t i = 0, j = n - 1; i < j; i++, j--) {
            unsigned char t = buf[i];
            buf[i] = buf[j];
            buf[j] = t;
        }
        fwrite(buf, 1, n, stdout);
        putchar('|');
    }
    printf("\n%zu bytes %zu chunks sum %04x\n", total, chunks, sum);
    return 0;
}
