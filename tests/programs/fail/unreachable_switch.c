#include <stdio.h>

static int days(int quarter)
{
    switch (quarter) {
    case 1: return 90;
    case 2: return 91;
    case 3: case 4: return 92;
    }
    __builtin_unreachable(); //~ unreachable
}

int main(void)
{
    int total = 0;
    for (int q = 1; q <= 5; q++)
        total += days(q);
    printf("%d\n", total);
    return 0;
}
