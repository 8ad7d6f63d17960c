// stdin: 3 5 12 7\n
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int v, sum = 0;
    while (scanf("%d", &v) == 1) {
        sum += v;
        assert(sum < 20 && "budget exceeded"); //~ assert
    }
    printf("%d\n", sum);
    return 0;
}
