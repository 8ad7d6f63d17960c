#include <stdio.h>
#include <setjmp.h>

static jmp_buf outer, inner;

static void deep(int n)
{
    char pad[32];
    snprintf(pad, sizeof pad, "level %d", n);
    if (n == 0)
        longjmp(inner, 7);
    deep(n - 1);
    puts(pad);
}

int main(void)
{
    volatile int tries = 0;
    if (setjmp(outer) != 0)
        printf("again after %d\n", tries);
    if (tries >= 3)
        return tries;
    switch (setjmp(inner)) {
    case 0:
        tries++;
        deep(4);
        puts("unreached");
        break;
    case 7:
        puts("caught");
        longjmp(outer, tries);
    }
    return 0;
}
