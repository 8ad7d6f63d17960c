// A line is read without room for what ends it.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char line[4];
    int length = 0;
    int c;
    while ((c = __VERIFIER_nondet_int()) != -1) {
        if (c == '\n') // fix: if ((c == '\n') || length >= (int)sizeof(line) - 1)
            break;
        line[length] = (char)c;
        length++;
    }
    line[length] = 0;
    return 0;
}
