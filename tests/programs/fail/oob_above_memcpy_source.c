#include <string.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char small[4] = "abc";
    char *big = malloc(64);
    if (!big)
        return 1;
    memcpy(big, small, 64); //~ out-of-bounds-above
    puts(big);
    free(big);
    return 0;
}
