// flags: --property none,assert
#include <assert.h>

int main(void)
{
    int x;
    assert(x != 12345); //~ assert
    return 0;
}
