#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s)
{
    char *d = malloc(strlen(s));
    if (d)
        strcpy(d, s); //~ out-of-bounds-above
    return d;
}

int main(void)
{
    char *d = duplicate("text");
    free(d);
    return 0;
}
