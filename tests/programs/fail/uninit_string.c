#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[16];
    buf[15] = '\0';
    printf("%zu\n", strlen(buf)); //~ uninitialized
    return 0;
}
