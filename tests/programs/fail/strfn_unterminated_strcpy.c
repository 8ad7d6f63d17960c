#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *raw = malloc(6), out[64];
    if (!raw)
        return 1;
    memcpy(raw, "raw!!!", 6);
    strcpy(out, raw); //~ string-function
    puts(out);
    free(raw);
    return 0;
}
