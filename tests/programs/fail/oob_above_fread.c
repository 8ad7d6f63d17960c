// stdin: abcdefghijklmnop\n
#include <stdio.h>

int main(void)
{
    char block[10];
    size_t n = fread(block, 1, 16, stdin); //~ out-of-bounds-above
    printf("%zu\n", n);
    return 0;
}
