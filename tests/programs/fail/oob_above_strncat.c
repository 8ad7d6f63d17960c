#include <string.h>
#include <stdio.h>

int main(void)
{
    char b[8] = "abcd";
    strncat(b, "efghij", sizeof b - strlen(b)); //~ out-of-bounds-above
    puts(b);
    return 0;
}
