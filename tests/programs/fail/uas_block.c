#include <stdio.h>

int main(void)
{
    int *p = NULL;
    for (int i = 0; i < 3; i++) {
        int square = i * i;
        if (i == 2)
            p = &square;
    }
    printf("%d\n", *p); //~ use-after-scope
    return 0;
}
