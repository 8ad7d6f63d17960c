// nondet: 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
void reach_error() { __assert_fail("0", "error_call_defined.c", 5, "reach_error"); }

int main(void)
{
    int lock = 0, n = __VERIFIER_nondet_int();
    while (n-- > 0) {
        lock = !lock;
        if (n == 1 && !lock)
            lock = 1;
    }
    if (lock)
        reach_error(); //~ error-call
    return 0;
}
