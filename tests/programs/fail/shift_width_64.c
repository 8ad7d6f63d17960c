// nondet: 64
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned long v = 1;
    v <<= n / 2;
    v <<= n; //~ shift
    return v == 0;
}
