#include <stdio.h>

int main(void)
{
    char tag[3] = { 'x', 'y', 'z' };
    printf("%.3s\n", tag);
    printf("%s\n", tag); //~ string-function
    return 0;
}
