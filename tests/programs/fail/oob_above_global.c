#include <stdio.h>

static const char *names[] = { "zero", "one", "two" };

static const char *name(unsigned n)
{
    if (n > 3)
        return "many";
    return names[n]; //~ array-index
}

int main(void)
{
    for (unsigned i = 0; i < 5; i++)
        puts(name(i));
    return 0;
}
