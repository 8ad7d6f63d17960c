// nondet: 6 6
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 1 || a > 100)
        return 0;
    long r = 100;
    r /= a - b; //~ division-by-zero
    return (int)r;
}
