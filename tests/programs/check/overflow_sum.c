extern int __VERIFIER_nondet_int(void);

enum mode { PLAIN, TWICE };

static int scaled(enum mode mode, int value)
{
    switch (mode) {
    case TWICE:
        return value + value; //~ overflow
    default:
        return value;
    }
}

int main(void)
{
    enum mode mode = PLAIN;
    char key = 't';
    int value = __VERIFIER_nondet_int();
    int unused = 7;
    if (value != 2000000000)
        return 0;
    if (key == 't')
        mode = TWICE;
    unused++;
    return scaled(mode, value) > unused;
}
