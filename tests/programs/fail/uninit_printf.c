#include <stdio.h>

int main(void)
{
    int width = 3, height;
    printf("%d\n", width);
    printf("%d\n", height); //~ uninitialized
    return 0;
}
