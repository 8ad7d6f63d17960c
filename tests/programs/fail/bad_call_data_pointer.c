#include <stdint.h>

static int data[4] = { 1, 2, 3, 4 };

int main(void)
{
    int (*f)(void) = (int (*)(void))(uintptr_t)&data[0];
    return f(); //~ bad-call
}
