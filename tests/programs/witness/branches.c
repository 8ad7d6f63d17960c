// Inputs, branches, a loop, a switch and a call on the way to a failure; its witnesses are beside it.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int step(int value, int by)
{
    return value + by;
}

int main(void)
{
    int total = 0;
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 1 || wanted > 3)
        return 0;
    for (int i = 0; i < wanted; i++)
        total = step(total, 2);
    switch (__VERIFIER_nondet_uchar()) {
    case 200:
        total++;
        break;
    default:
        break;
    }
    if (total == 5)
        reach_error();
    return 0;
}
