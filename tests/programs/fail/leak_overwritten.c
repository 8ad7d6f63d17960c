// flags: --property leaks
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = NULL;
    for (int i = 0; i < 2; i++) {
        s = malloc(8); //~ leak
        if (!s)
            return 1;
        strcpy(s, "text");
    }
    free(s);
    return 0;
}
