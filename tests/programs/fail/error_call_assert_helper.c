// nondet: 10 3
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

void __VERIFIER_assert(int cond)
{
    if (!cond) {
ERROR:
        reach_error(); //~ error-call
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 100);
    __VERIFIER_assume(k > 0);
    int sum = 0;
    for (int i = 0; i < n; i += k)
        sum += k;
    __VERIFIER_assert(sum >= n);
    __VERIFIER_assert(sum == n);
    return 0;
}
