#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(16);
    if (!s)
        return 1;
    strcpy(s, "   padded");
    while (*s == ' ')
        s++;
    free(s); //~ invalid-free
    return 0;
}
