#include <stdio.h>

int main(void)
{
    unsigned char c = 200;
    int total = 0;
    for (int i = 0; i < 5; i++)
        total += c >> (i * 8); //~ shift
    printf("%d\n", total);
    return 0;
}
