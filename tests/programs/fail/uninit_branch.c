#include <stdio.h>

static int parse(const char *s, int *out)
{
    if (*s < '0' || *s > '9')
        return 0;
    *out = *s - '0';
    return 1;
}

int main(void)
{
    int value;
    parse("x", &value);
    if (value > 3) //~ uninitialized
        puts("big");
    return 0;
}
