#include <assert.h>

static int half(int n) { return n / 2; }

int main(void)
{
    for (int i = 0; i < 10; i++)
        assert(half(i) * 2 == i); //~ assert
    return 0;
}
