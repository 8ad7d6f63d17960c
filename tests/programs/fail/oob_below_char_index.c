#include <stdio.h>

static int count[256];

int main(void)
{
    signed char name[] = { 'a', 'b', -23, 'c', 0 };
    for (signed char *p = name; *p; p++)
        count[*p]++; //~ array-index
    printf("%d\n", count['a']);
    return 0;
}
