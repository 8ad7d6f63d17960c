#include <assert.h>

static void almost_sort(int *v, int n)
{
    for (int i = 0; i < n - 1; i++)
        if (v[i] > v[i + 1]) {
            int t = v[i];
            v[i] = v[i + 1];
            v[i + 1] = t;
        }
}

static void check(const int *v, int n)
{
    for (int i = 1; i < n; i++)
        assert(v[i - 1] <= v[i]); //~ assert
}

int main(void)
{
    int v[] = { 4, 3, 2, 1 };
    almost_sort(v, 4);
    check(v, 4);
    return 0;
}
