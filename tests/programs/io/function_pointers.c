#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

typedef double (*unary)(double);
typedef int binop(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static binop *pick(char c)
{
    static binop *const tab[128] = { ['+'] = add, ['-'] = sub, ['*'] = &mul };
    return tab[c & 127];
}
static unary compose_f, compose_g;
static double composed(double x) { return compose_f(compose_g(x)); }
static unary compose(unary f, unary g) { compose_f = f; compose_g = g; return composed; }
static double twice(double x) { return x * 2; }
static int fold(binop f, int init, const int *v, int n)
{
    while (n--)
        init = f(init, *v++);
    return init;
}
static int (*choose(int which))(int, int) { return which ? add : sub; }

struct op { const char *name; unary f; };

int main(void)
{
    struct op ops[] = { { "sqrt", sqrt }, { "fabs", fabs }, { "twice", twice }, { "floor", floor } };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        printf("%s %g\n", ops[i].name, ops[i].f(i + 2.25));
    printf("%d %d %d\n", pick('+')(3, 4), pick('-')(3, 4), (*pick('*'))(3, 4));
    printf("%d\n", pick('/') == NULL);
    int v[] = { 1, 2, 3, 4, 5 };
    printf("%d %d %d\n", fold(add, 0, v, 5), fold(mul, 1, v, 5), fold(sub, 0, v, 5));
    printf("%g\n", compose(sqrt, twice)(8));
    printf("%d %d\n", choose(0)(9, 5), choose(1)(9, 5));
    binop *arr[2][2] = { { add, sub }, { mul, add } };
    int acc = 10;
    for (int i = 0; i < 4; i++)
        acc = arr[i / 2][i % 2](acc, i + 1);
    printf("%d %d\n", acc, (****add)(1, 1));
    void (*q)(void) = (void (*)(void))mul;
    printf("%d\n", ((binop *)q)(6, 7));
    return arr[0][0] == add ? 0 : 1;
}
