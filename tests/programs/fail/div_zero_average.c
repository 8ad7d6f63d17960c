#include <stdio.h>

static int average(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n; //~ division-by-zero
}

int main(void)
{
    int v[] = { 3, 4, 5 };
    printf("%d\n", average(v, 3));
    printf("%d\n", average(v, 0));
    return 0;
}
