#include <stdio.h>
#include <string.h>

static char *words[] = { "alpha", "beta" };

int main(void)
{
    for (int i = 0; i < 2; i++)
        strcpy(words[i], "x"); //~ write-to-constant
    puts(words[0]);
    return 0;
}
