/* The draft, section 4.2.3: the constant has nothing to do with the failure. */
// nondet: 5
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int x, y;
    y = 10;
    x = __VERIFIER_nondet_int(); //~ relevant
    __VERIFIER_assume(x > 0);
    reach_error();
    return y;
}
