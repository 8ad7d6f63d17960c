#include <stdio.h>

typedef int (*op)(int);
static int twice(int x) { return x * 2; }
static op table[4] = { twice };

int main(void)
{
    for (int i = 0; i < 2; i++)
        printf("%d\n", table[i](i)); //~ bad-call
    return 0;
}
