#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[8];
    const char *full = "Augustus";
    strcpy(name, full); //~ out-of-bounds-above
    printf("%s\n", name);
    return 0;
}
