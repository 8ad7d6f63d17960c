// nondet: 7 200 1
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned u = __VERIFIER_nondet_uint();
    _Bool b = __VERIFIER_nondet_bool();
    unsigned char sum = c + u;
    if (b && sum == 207)
        reach_error(); //~ error-call
    return 0;
}
