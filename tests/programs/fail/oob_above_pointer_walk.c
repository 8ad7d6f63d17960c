#include <stdio.h>

int main(void)
{
    double v[3] = { 1, 2, 3 }, sum = 0;
    const double *end = v + 3;
    for (const double *p = v; p <= end; p++)
        sum += *p; //~ out-of-bounds-above
    printf("%g\n", sum);
    return 0;
}
