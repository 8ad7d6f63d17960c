#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[32] = "echo";
    strcat(s, s); //~ string-function
    puts(s);
    return 0;
}
