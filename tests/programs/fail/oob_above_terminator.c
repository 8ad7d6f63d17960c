// stdin: 12345678\n
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *buf = malloc(8);
    size_t n = fread(buf, 1, 8, stdin);
    buf[n] = '\0'; //~ out-of-bounds-above
    printf("%s\n", buf);
    free(buf);
    return 0;
}
