// flags: --property none,unreach-call
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    float y = __VERIFIER_nondet_float();
    if (x > 100 && y > 0.5f && y < 0.75f)
        reach_error(); //~ error-call
    return 0;
}
