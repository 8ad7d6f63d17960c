#include <stdio.h>
#include <limits.h>
#include <float.h>
#include <stdint.h>
#include <inttypes.h>

int main(void)
{
    printf("%d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX);
    printf("%d %d %d\n", UCHAR_MAX, CHAR_MIN, CHAR_MAX);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%d %d %d\n", FLT_DIG, DBL_DIG, FLT_RADIX);
    printf("%d %d %d %d\n", FLT_MANT_DIG, DBL_MANT_DIG, DBL_MAX_EXP, DBL_MIN_10_EXP);
    printf("%g %g %g\n", FLT_MAX, FLT_MIN, FLT_EPSILON);
    printf("%g %g %g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%Lg %Lg\n", LDBL_MAX, LDBL_EPSILON);
    printf("%" PRIdMAX " %" PRIuMAX "\n", INTMAX_MIN, UINTMAX_MAX);
    printf("%" PRIx64 " %" PRIo32 " %" PRIX16 "\n", UINT64_C(0xabcdef), UINT32_C(8), (uint16_t)0xbeef);
    printf("%zu %zu %zu\n", sizeof(int_fast16_t), sizeof(int_least8_t), sizeof(intptr_t));
    printf("%zu %d\n", SIZE_MAX, PTRDIFF_MAX == INT64_MAX);
    int64_t a;
    uint16_t b;
    if (sscanf("-123456789012 65535", "%" SCNd64 " %" SCNu16, &a, &b) == 2)
        printf("%" PRId64 " %" PRIu16 "\n", a, b);
    imaxdiv_t q = imaxdiv(-17, 5);
    printf("%" PRIdMAX " %" PRIdMAX " %" PRIdMAX "\n", q.quot, q.rem, imaxabs(-9));
    printf("%" PRIdMAX "\n", strtoimax("-77", NULL, 8));
    return 0;
}
