#include <limits.h>

int main(void)
{
    long a = LONG_MIN, b = -1;
    long r = a % b; //~ overflow
    return (int)r;
}
