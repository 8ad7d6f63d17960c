#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[] = "shift me right";
    memmove(s + 1, s, 4);
    memcpy(s + 2, s, 8); //~ string-function
    puts(s);
    return 0;
}
