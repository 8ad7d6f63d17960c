#include <stdio.h>

struct packet { unsigned char data[4]; unsigned char crc; unsigned char pad[3]; };

int main(void)
{
    struct packet p = { { 1, 2, 3, 4 }, 9, { 0 } };
    unsigned sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += p.data[i]; //~ array-index
    printf("%u\n", sum);
    return 0;
}
