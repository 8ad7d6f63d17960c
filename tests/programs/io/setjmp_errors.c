#include <stdio.h>
#include <setjmp.h>

static jmp_buf env;
static const char *p;

static int code;

static void fail(int why) { code = why; longjmp(env, 1); }
static int expr(void);
static int atom(void)
{
    if (*p == '(') {
        p++;
        int v = expr();
        if (*p++ != ')')
            fail(1);
        return v;
    }
    if (*p < '0' || *p > '9')
        fail(2);
    int v = 0;
    while (*p >= '0' && *p <= '9')
        v = v * 10 + *p++ - '0';
    return v;
}
static int term(void)
{
    int v = atom();
    while (*p == '*' || *p == '/') {
        char op = *p++;
        int r = atom();
        if (op == '/' && r == 0)
            fail(3);
        v = op == '*' ? v * r : v / r;
    }
    return v;
}
static int expr(void)
{
    int v = term();
    while (*p == '+' || *p == '-')
        v = *p++ == '+' ? v + term() : v - term();
    return v;
}
int main(void)
{
    static const char *msg[] = { "ok", "missing )", "number expected", "division by zero", "trailing text" };
    char line[80];
    volatile int errors = 0;
    while (scanf("%79s", line) == 1) {
        p = line;
        if (setjmp(env) == 0) {
            int v = expr();
            if (*p)
                fail(4);
            printf("%s = %d\n", line, v);
        } else {
            errors++;
            printf("%s: %s at %d\n", line, msg[code], (int)(p - line));
        }
    }
    return errors;
}
