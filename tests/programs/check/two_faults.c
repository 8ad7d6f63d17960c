// flags: --all
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int table[4] = {1, 2, 3, 4};

int main(void)
{
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index > 4)
        return 0;
    if (index == 2)
        assert(table[index] == 4); //~ assert
    if (index & 1)
        return 1;
    return table[index]; //~ array-index
}
