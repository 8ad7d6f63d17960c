// Nobody looks whether the buffer is full.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char buffer[4];
    int used = 0;
    while (__VERIFIER_nondet_int() != 0) { // fix: while ((__VERIFIER_nondet_int() != 0) && used < (int)sizeof(buffer)) {
        buffer[used] = 'x';
        used++;
    }
    return 0;
}
