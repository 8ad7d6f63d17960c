#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *name = malloc(16);
    if (!name)
        return 1;
    strcpy(name, "temporary");
    const char *alias = name + 4;
    free(name);
    printf("%zu\n", strlen(alias)); //~ use-after-free
    return 0;
}
