#include <stdio.h>
#include <string.h>

struct item { short a; short b; int c; };

static void dump(const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x%c", b[i], i + 1 == n ? '\n' : ' ');
}
static void byteswap(void *p, size_t n)
{
    char *b = p;
    for (size_t i = 0; i < n / 2; i++) {
        char t = b[i];
        b[i] = b[n - 1 - i];
        b[n - 1 - i] = t;
    }
}
static unsigned checksum(const void *p, size_t n)
{
    const unsigned char *b = p;
    unsigned a = 1, c = 0;
    while (n--) {
        a = (a + *b++) % 65521;
        c = (c + a) % 65521;
    }
    return c << 16 | a;
}
int main(void)
{
    struct item it = { 0x0102, 0x0304, 0x05060708 };
    dump(&it, sizeof it);
    byteswap(&it.c, sizeof it.c);
    printf("%08x\n", it.c);
    char *field = (char *)&it + 2;
    short v;
    memcpy(&v, field, sizeof v);
    printf("%04x\n", v);
    field[0] = 0x7f;
    printf("%04x\n", it.b);
    int arr[4] = { 1, -1, 256, 65536 };
    dump(arr, sizeof arr);
    printf("%08x\n", checksum(arr, sizeof arr));
    memset((char *)arr + 4, 0x11, 8);
    printf("%d %d %x %d\n", arr[0], arr[1] == 0x11111111, arr[2], arr[3]);
    struct item copy;
    for (size_t i = 0; i < sizeof copy; i++)
        ((char *)&copy)[i] = ((char *)&it)[i];
    printf("%d\n", memcmp(&copy, &it, sizeof it));
    return 0;
}
