#include <stdio.h>

int main(void)
{
    unsigned char step = 250;
    for (int i = 0; i < 10; i++) {
        step++;
        printf("%d\n", 1000 / step); //~ division-by-zero
    }
    return 0;
}
