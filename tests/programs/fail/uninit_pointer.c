#include <stdio.h>

int main(int argc, char **argv)
{
    int x = 1, *p;
    if (argc > 5)
        p = &x;
    *p = 2; //~ uninitialized
    printf("%d\n", x);
    return 0;
}
