#include <stdio.h>

int main(void)
{
    unsigned short w = 65535, h = 65535;
    unsigned area = w * h; //~ overflow
    printf("%u\n", area);
    return 0;
}
