// bounded
// flags: --bound 4
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned count = 0;
    while (__VERIFIER_nondet_int()) {
        count++;
        assert(count != 100);
    }
    return 0;
}
