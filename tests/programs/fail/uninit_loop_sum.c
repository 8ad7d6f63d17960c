#include <stdio.h>

int main(void)
{
    int sum;
    for (int i = 0; i < 3; i++)
        if ((sum += i) > 10) //~ uninitialized
            puts("big");
    return 0;
}
