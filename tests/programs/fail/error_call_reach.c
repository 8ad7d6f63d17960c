extern void reach_error(void);

int main(void)
{
    unsigned x = 1;
    while (x < 1000)
        x *= 3;
    if (x != 1000)
        reach_error(); //~ error-call
    return 0;
}
