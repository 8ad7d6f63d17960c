// stdin: 12345 99999999999\n
#include <stdio.h>

int main(void)
{
    int c, v = 0;
    while ((c = getchar()) != EOF) {
        if (c >= '0' && c <= '9')
            v = v * 10 + (c - '0'); //~ overflow
        else {
            printf("%d\n", v);
            v = 0;
        }
    }
    return 0;
}
