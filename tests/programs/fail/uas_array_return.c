#include <stdio.h>

static char *format(int n)
{
    char buf[16];
    sprintf(buf, "<%d>", n);
    char *r = buf;
    return r;
}

int main(void)
{
    char *s = format(42);
    char c = s[1]; //~ use-after-scope
    printf("%c\n", c);
    return 0;
}
