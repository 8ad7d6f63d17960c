#include <ctype.h>
#include <stdio.h>

static void upper(char *s)
{
    for (; *s; s++)
        *s = (char)toupper((unsigned char)*s); //~ write-to-constant
}

int main(void)
{
    char local[] = "local";
    upper(local);
    puts(local);
    upper("literal");
    return 0;
}
