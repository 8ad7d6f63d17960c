#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int a, b;
    while (scanf("%d %d", &a, &b) == 2) {
        div_t d = div(a, b);
        ldiv_t l = ldiv((long)a * 1000003L, b);
        lldiv_t q = lldiv((long long)a * 1048576, b);
        printf("%d/%d: %d r %d | %ld r %ld | %lld r %lld\n", a, b, d.quot, d.rem, l.quot, l.rem, q.quot, q.rem);
    }
    printf("%d %ld %lld\n", abs(-5), labs(-5000000000L), llabs(-1LL - 5));
    return 0;
}
