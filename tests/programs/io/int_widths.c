#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>

/* Every integer width at its extremes, moved up and down by unsigned steps. */
int main(void)
{
    int8_t a = INT8_MIN;
    uint8_t b = UINT8_MAX;
    int16_t c = INT16_MIN;
    uint16_t d = UINT16_MAX;
    int32_t e = INT32_MIN;
    uint32_t f = UINT32_MAX;
    int64_t g = INT64_MIN;
    uint64_t h = UINT64_MAX;

    printf("%" PRId8 " %" PRIu8 "\n", a, b);
    printf("%" PRId16 " %" PRIu16 "\n", c, d);
    printf("%" PRId32 " %" PRIu32 "\n", e, f);
    printf("%" PRId64 " %" PRIu64 "\n", g, h);

    b++; d++; f++; h++;
    printf("%u %u %u %llu\n", b, d, f, (unsigned long long)h);
    b--; d--; f--; h--;
    printf("%u %u %u %llu\n", b, d, f, (unsigned long long)h);

    a++; c++; e++; g++;
    printf("%d %d %d %lld\n", a, c, e, (long long)g);
    printf("%d %d %d %lld\n", -a, -c, -e, -(long long)g);
    printf("sizes %zu %zu %zu %zu\n", sizeof a, sizeof c, sizeof e, sizeof g);
    printf("sizes %zu %zu %zu %zu\n", sizeof(char), sizeof(long), sizeof(long long), sizeof(_Bool));
    return 0;
}
