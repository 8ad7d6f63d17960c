// The middle is left of the beginning.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int table[16] = {0};
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low <= high && high < 16);
    int middle = low - (high - low) / 2; // fix: int middle = low + (high - low) / 2;
    return table[middle];
}
