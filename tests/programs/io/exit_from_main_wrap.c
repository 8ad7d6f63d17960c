#include <stdio.h>
#include <stdlib.h>

static void bye(void) { puts("bye"); }

int main(void)
{
    atexit(bye);
    int v;
    int total = 0;
    while (scanf("%d", &v) == 1)
        total += v;
    printf("total %d\n", total);
    return total;
}
