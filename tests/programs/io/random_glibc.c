#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    srandom(7);
    for (int i = 0; i < 4; i++)
        printf("%ld ", random());
    putchar('\n');
    srand(7);
    for (int i = 0; i < 4; i++)
        printf("%d ", rand());
    putchar('\n');
    srand(0);
    int a = rand();
    srand(1);
    int b = rand();
    printf("%d\n", a == b);
    long sum = 0;
    for (int i = 0; i < 400; i++)
        sum += rand() % 100;
    printf("%ld\n", sum);
    srand(4294967295u);
    printf("%d\n", rand());
    return 0;
}
