// stdin: 10 2 7 0\n
#include <stdio.h>

int main(void)
{
    int a, b;
    while (scanf("%d %d", &a, &b) == 2)
        printf("%d\n", a / b); //~ division-by-zero
    return 0;
}
