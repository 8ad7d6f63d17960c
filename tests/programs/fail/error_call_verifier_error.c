// nondet: 4 9
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a * a + b == 25)
        __VERIFIER_error(); //~ error-call
    return 0;
}
