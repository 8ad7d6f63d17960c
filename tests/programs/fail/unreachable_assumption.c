#define ASSUME(c) do { if (!(c)) __builtin_unreachable(); } while (0)

static unsigned ratio(unsigned a, unsigned b)
{
    ASSUME(b != 0); //~ unreachable
    return a / b;
}

int main(void)
{
    unsigned s = 0;
    for (unsigned i = 3; i + 1 > 0; i--)
        s += ratio(12, i);
    return (int)s;
}
