#include <stdio.h>
#include <string.h>
#include <stdlib.h>

int main(void)
{
    const char *v = getenv("FAULTLINE_TEST_SURELY_UNSET");
    printf("%zu\n", strlen(v)); //~ null-dereference
    return 0;
}
