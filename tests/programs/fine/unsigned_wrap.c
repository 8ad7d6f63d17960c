#include <stdio.h>
#include <limits.h>
#include <stdint.h>

int main(void)
{
    unsigned u = UINT_MAX;
    u++;
    printf("%u\n", u);
    u -= 1;
    printf("%u\n", u * u);
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < 10; i++)
        h = (h ^ i) * 1099511628211ull;
    printf("%llx\n", h);
    size_t n = 3;
    for (size_t i = n - 1; i < n; i--)
        printf("%zu ", i);
    putchar('\n');
    uint8_t b = 200;
    b += 100;
    uint16_t w = 65535u * 3u;
    printf("%d %d %u\n", b, w, -1u);
    printf("%u\n", 0u - 5u);
    printf("%d\n", (int)(3u - 5u) < 0);
    return 0;
}
