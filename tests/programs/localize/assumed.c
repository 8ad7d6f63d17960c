/* The draft, sections 4.1.3 and 4.2.2: the constant and the input both let the assumption hold. */
// nondet: 5
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int x, y;
    y = 42; //~ relevant
    x = __VERIFIER_nondet_int(); //~ relevant
    __VERIFIER_assume(x >= 0 && y >= 23);
    reach_error();
    return 0;
}
