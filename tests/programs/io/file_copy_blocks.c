#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long copy(const char *from, const char *to, size_t block)
{
    FILE *a = fopen(from, "rb"), *b = fopen(to, "wb");
    if (!a || !b)
        return -1;
    char *buf = malloc(block);
    long total = 0;
    size_t n;
    while ((n = fread(buf, 1, block, a)) > 0)
        total += (long)fwrite(buf, 1, n, b);
    free(buf);
    fclose(a);
    fclose(b);
    return total;
}
static int same(const char *x, const char *y)
{
    FILE *a = fopen(x, "rb"), *b = fopen(y, "rb");
    int c, d;
    do {
        c = getc(a);
        d = getc(b);
    } while (c == d && c != EOF);
    fclose(a);
    fclose(b);
    return c == d;
}
int main(void)
{
    FILE *f = fopen("copy_a.bin", "wb");
    if (!f)
        return 1;
    for (int i = 0; i < 1000; i++)
        fputc(i * 7 & 0xff, f);
    fclose(f);
    printf("%ld\n", copy("copy_a.bin", "copy_b.bin", 64));
    printf("%ld\n", copy("copy_b.bin", "copy_c.bin", 333));
    printf("%d\n", same("copy_a.bin", "copy_c.bin"));
    f = fopen("copy_c.bin", "r+b");
    fseek(f, 500, SEEK_SET);
    fputc(0xAA, f);
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
    fclose(f);
    printf("%d\n", same("copy_a.bin", "copy_c.bin"));
    printf("%ld\n", copy("missing.bin", "copy_d.bin", 8));
    remove("copy_a.bin");
    remove("copy_b.bin");
    remove("copy_c.bin");
    return remove("copy_d.bin");
}
