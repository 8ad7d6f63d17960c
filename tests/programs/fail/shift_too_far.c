#include <stdio.h>

static unsigned mask(int bits)
{
    return (1u << bits) - 1; //~ shift
}

int main(void)
{
    for (int b = 8; b <= 32; b += 8)
        printf("%x\n", mask(b));
    return 0;
}
