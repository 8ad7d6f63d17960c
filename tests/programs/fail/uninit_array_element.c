#include <stdio.h>

int main(void)
{
    int count[5];
    for (int i = 0; i < 4; i++)
        count[i] = 0;
    for (int i = 0; i < 5; i++)
        if (count[i] == 1) //~ uninitialized
            puts("one");
    return 0;
}
