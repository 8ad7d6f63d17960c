#include <stdio.h>

int main(void)
{
    unsigned v = 0xff00;
    for (int s = 8; s > -8; s -= 4)
        printf("%x\n", v >> s); //~ shift
    return 0;
}
