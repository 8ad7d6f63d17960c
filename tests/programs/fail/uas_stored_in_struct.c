struct ctx { int *counter; };

static void setup(struct ctx *c)
{
    int local = 5;
    c->counter = &local;
    *c->counter += 1;
}

int main(void)
{
    struct ctx c;
    setup(&c);
    *c.counter += 1; //~ use-after-scope
    return 0;
}
