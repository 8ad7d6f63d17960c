#include <assert.h>
#include <stdio.h>

extern void reach_error(void);
static int calls;
static int check(int v) { calls++; return v > 0; }

int main(void)
{
    assert(check(1));
    assert(check(2) && "positive");
    assert(sizeof(int) == 4);
    if (calls != 2)
        reach_error();
    printf("%d\n", calls);
    switch (calls) {
    case 2: break;
    default: __builtin_unreachable();
    }
    return 0;
}
void reach_error(void) { assert(0); }
