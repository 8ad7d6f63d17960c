#include <stdio.h>
#include <ctype.h>
#include <string.h>
#include <stdlib.h>

static int prec(char o) { return o == '^' ? 3 : o == '*' || o == '/' ? 2 : o == '(' ? 0 : 1; }
static int to_rpn(const char *s, char *out)
{
    char ops[64];
    int n = 0;
    for (; *s; s++) {
        if (isalnum((unsigned char)*s)) {
            while (isalnum((unsigned char)*s))
                *out++ = *s++;
            *out++ = ' ';
            s--;
        } else if (*s == '(')
            ops[n++] = *s;
        else if (*s == ')') {
            while (n && ops[n - 1] != '(') {
                *out++ = ops[--n];
                *out++ = ' ';
            }
            if (!n)
                return 0;
            n--;
        } else if (strchr("+-*/^", *s)) {
            while (n && (prec(ops[n - 1]) > prec(*s) || (prec(ops[n - 1]) == prec(*s) && *s != '^'))) {
                *out++ = ops[--n];
                *out++ = ' ';
            }
            ops[n++] = *s;
        }
    }
    while (n) {
        if (ops[--n] == '(')
            return 0;
        *out++ = ops[n];
        *out++ = ' ';
    }
    *out = 0;
    return 1;
}
static long eval(char *rpn)
{
    long st[32];
    int n = 0;
    for (char *t = strtok(rpn, " "); t; t = strtok(NULL, " ")) {
        if (isalnum((unsigned char)*t)) {
            st[n++] = isdigit((unsigned char)*t) ? atol(t) : *t - 'a';
            continue;
        }
        if (n < 2)
            return -999;
        long b = st[--n], *a = &st[n - 1];
        switch (*t) {
        case '+': *a += b; break;
        case '-': *a -= b; break;
        case '*': *a *= b; break;
        case '/': *a = b ? *a / b : 0; break;
        case '^': { long r = 1; while (b-- > 0) r *= *a; *a = r; break; }
        }
    }
    return n == 1 ? st[0] : -999;
}
int main(void)
{
    char line[64], rpn[200];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!to_rpn(line, rpn)) {
            printf("%s: unbalanced\n", line);
            continue;
        }
        printf("%s => %s", line, rpn);
        printf("= %ld\n", eval(rpn));
    }
    return 0;
}
