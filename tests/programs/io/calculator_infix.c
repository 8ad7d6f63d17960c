#include <stdio.h>
#include <ctype.h>
#include <string.h>
#include <stdlib.h>

static const char *s;
static int err;
static long vars[26];
static long expr(int min);

static void ws(void) { while (*s == ' ') s++; }
static long primary(void)
{
    ws();
    if (isdigit((unsigned char)*s)) {
        char *e;
        long v = strtol(s, &e, 0);
        s = e;
        return v;
    }
    if (islower((unsigned char)*s)) {
        int i = *s++ - 'a';
        ws();
        if (*s == '=' && s[1] != '=') {
            s++;
            return vars[i] = expr(0);
        }
        return vars[i];
    }
    switch (*s++) {
    case '-': return -primary();
    case '!': return !primary();
    case '~': return ~primary();
    case '(': {
        long v = expr(0);
        ws();
        if (*s == ')') s++;
        else err = 1;
        return v;
    }
    default:
        s--;
        err = 2;
        return 0;
    }
}
static const struct { const char *op; int prec; } ops[] = {
    { "||", 1 }, { "&&", 2 }, { "==", 3 }, { "!=", 3 }, { "<<", 5 }, { "<=", 4 }, { "<", 4 }, { ">>", 5 }, { ">=", 4 },
    { ">", 4 }, { "+", 6 }, { "-", 6 }, { "*", 7 }, { "/", 7 }, { "%", 7 } };

static long expr(int min)
{
    long a = primary();
    for (;;) {
        ws();
        unsigned i, n = sizeof ops / sizeof *ops;
        for (i = 0; i < n && strncmp(s, ops[i].op, strlen(ops[i].op)); i++)
            ;
        if (i == n || ops[i].prec <= min) return a;
        s += strlen(ops[i].op);
        long b = expr(ops[i].prec);
        switch (ops[i].op[0] | ops[i].op[1] << 8) {
        case '|' | '|' << 8: a = a || b; break;
        case '&' | '&' << 8: a = a && b; break;
        case '=' | '=' << 8: a = a == b; break;
        case '!' | '=' << 8: a = a != b; break;
        case '<' | '<' << 8: a = (long)((unsigned long)a << (b & 63)); break;
        case '>' | '>' << 8: a >>= b & 63; break;
        case '<' | '=' << 8: a = a <= b; break;
        case '>' | '=' << 8: a = a >= b; break;
        case '<': a = a < b; break;
        case '>': a = a > b; break;
        case '+': a += b; break;
        case '-': a -= b; break;
        case '*': a *= b; break;
        case '/': if (b) a /= b; else err = 3; break;
        case '%': if (b) a %= b; else err = 3; break;
        }
    }
}
int main(void)
{
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        s = line;
        err = 0;
        long v = expr(0);
        ws();
        if (!err && *s) err = 4;
        if (err) printf("%s -> error %d at %d\n", line, err, (int)(s - line));
        else printf("%s -> %ld\n", line, v);
    }
    return 0;
}
