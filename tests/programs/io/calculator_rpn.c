#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#define MAX 32
static double st[MAX];
static int sp;

static int push(double v) { if (sp == MAX) return 0; st[sp++] = v; return 1; }
static int need(int n) { return sp >= n; }

static const char *token(const char *t)
{
    char *end;
    double v = strtod(t, &end);
    if (end != t && !*end)
        return push(v) ? NULL : "stack full";
    if (!strcmp(t, "dup")) return need(1) ? push(st[sp - 1]), NULL : "stack empty";
    if (!strcmp(t, "sqrt")) {
        if (!need(1)) return "stack empty";
        if (st[sp - 1] < 0) return "negative root";
        st[sp - 1] = sqrt(st[sp - 1]);
        return NULL;
    }
    if (strlen(t) != 1 || !strchr("+-*/^", *t)) return "unknown word";
    if (!need(2)) return "stack empty";
    double b = st[--sp], a = st[--sp];
    switch (*t) {
    case '+': push(a + b); break;
    case '-': push(a - b); break;
    case '*': push(a * b); break;
    case '/': if (b == 0) return "division by zero"; push(a / b); break;
    case '^': push(pow(a, b)); break;
    }
    return NULL;
}
int main(void)
{
    char line[128];
    int bad = 0;
    while (fgets(line, sizeof line, stdin)) {
        const char *err = NULL;
        sp = 0;
        for (char *t = strtok(line, " \n"); t && !err; t = strtok(NULL, " \n"))
            err = token(t);
        if (err) {
            bad++;
            printf("error: %s\n", err);
        } else {
            for (int i = 0; i < sp; i++)
                printf("%.6g ", st[i]);
            puts(sp ? "" : "(empty)");
        }
    }
    return bad;
}
