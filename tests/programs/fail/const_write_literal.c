#include <stdio.h>

int main(void)
{
    char *s = "immutable";
    s[0] = 'I'; //~ write-to-constant
    puts(s);
    return 0;
}
