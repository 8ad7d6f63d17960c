enum op { ADD, SUB };

static int apply(enum op o, int a, int b)
{
    switch (o) {
    case ADD: return a + b;
    case SUB: return a - b;
    default: __builtin_unreachable(); //~ unreachable
    }
}

int main(void)
{
    int r = apply(ADD, 1, 2) + apply(SUB, 5, 3);
    return apply((enum op)(r - 2), 1, 1);
}
