#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *buf = malloc(4), *p = buf + 3;
    if (!buf)
        return 1;
    for (int digits = 123456; digits; digits /= 10)
        *p-- = '0' + digits % 10; //~ out-of-bounds-below
    printf("%c\n", buf[0]);
    free(buf);
    return 0;
}
