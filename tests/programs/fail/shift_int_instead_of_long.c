#include <stdio.h>

int main(void)
{
    unsigned long set = 0;
    int bits[] = { 3, 17, 30, 40 };
    for (int i = 0; i < 4; i++)
        set |= 1u << bits[i]; //~ shift
    printf("%lx\n", set);
    return 0;
}
