#include <stdio.h>
#include <string.h>

int main(void)
{
    char code[4];
    strncpy(code, "ABCDEF", sizeof code);
    printf("%zu\n", strlen(code)); //~ string-function
    return 0;
}
