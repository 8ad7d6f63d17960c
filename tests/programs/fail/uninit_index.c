#include <stdio.h>

int main(void)
{
    int table[4] = { 1, 2, 3, 4 };
    unsigned i;
    printf("%d\n", table[i & 3]); //~ uninitialized
    return 0;
}
