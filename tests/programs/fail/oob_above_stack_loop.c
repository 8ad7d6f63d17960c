#include <stdio.h>

int main(void)
{
    int a[10];
    for (int i = 0; i <= 10; i++)
        a[i] = i * i; //~ array-index
    printf("%d\n", a[3]);
    return 0;
}
