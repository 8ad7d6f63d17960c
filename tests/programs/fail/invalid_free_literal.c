#include <stdlib.h>
#include <string.h>

static char *greet(const char *who)
{
    return *who ? strdup(who) : (char *)"anonymous";
}

int main(void)
{
    char *a = greet("ann"), *b = greet("");
    free(a);
    free(b); //~ invalid-free
    return 0;
}
