#include <stdio.h>

static int shared = 1;
int main(void)
{
    int x = 5;
    __asm__ volatile("" ::: "memory");
    shared += x;
    __asm__ __volatile__("" : "+r"(x));
    printf("%d %d\n", shared, x);
    return 0;
}
