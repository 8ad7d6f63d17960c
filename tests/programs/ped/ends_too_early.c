/* The last element is never compared with the one before it. */
#include <assert.h>

#define COUNT 4

static void sort(int *values, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count - i - 2; j++) // fix: for (int j = 0; j <= count - i - 2; j++)
            if (values[j] > values[j + 1]) {
                int swapped = values[j];
                values[j] = values[j + 1];
                values[j + 1] = swapped;
            }
}

int main(void)
{
    int values[COUNT] = {71, 48, 90, 33};
    sort(values, COUNT);
    for (int i = 1; i < COUNT; i++)
        assert(values[i - 1] <= values[i]);
    return 0;
}
