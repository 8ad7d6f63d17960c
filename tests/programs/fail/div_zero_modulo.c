#include <stdio.h>

static unsigned bucket(unsigned h, unsigned n)
{
    return h % n; //~ division-by-zero
}

int main(void)
{
    for (unsigned n = 3; n < 4; n--)
        printf("%u\n", bucket(17, n));
    return 0;
}
