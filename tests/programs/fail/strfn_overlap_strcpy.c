#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[32] = "  trimmed";
    char *p = s;
    while (*p == ' ')
        p++;
    strcpy(s, p); //~ string-function
    puts(s);
    return 0;
}
