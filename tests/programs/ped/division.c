// Zero is let through.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int parts = __VERIFIER_nondet_int();
    if (parts >= 0) // fix: if (parts > 0)
        return 100 / parts;
    return 0;
}
