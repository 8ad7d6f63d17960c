#include <stdio.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf env;
static char *buffer;
static int reached;

static void deep(int n)
{
    int local[8];
    for (int i = 0; i < 8; i++)
        local[i] = n;
    if (n > 3)
        reached = local[7], longjmp(env, 1);
    deep(n + 1);
}
int main(void)
{
    volatile int count = 0;
    buffer = malloc(10);
    if (setjmp(env)) {
        int r = reached;
        printf("back %d count %d\n", r, count);
        if (count < 3) {
            count++;
            deep(r);
        }
        free(buffer);
        return 0;
    }
    count = 1;
    deep(0);
    return 1;
}
