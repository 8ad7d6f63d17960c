/* Compiles a small language (assignments, while, if, print) to stack code and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <stdbool.h>

enum tok { T_EOF, T_NUM, T_ID, T_IF, T_ELSE, T_WHILE, T_PRINT, T_EQ, T_NE, T_LE, T_GE, T_AND, T_OR };
static const struct { const char *s; enum tok t; } words[] = {
    { "if", T_IF }, { "else", T_ELSE }, { "while", T_WHILE }, { "print", T_PRINT } };
static const struct { char s[3]; enum tok t; } doubles[] = {
    { "==", T_EQ }, { "!=", T_NE }, { "<=", T_LE }, { ">=", T_GE }, { "&&", T_AND }, { "||", T_OR } };

static char source[2048];
static const char *pos = source;
static int token, line = 1;
static long number;
static char ident[16];
static int nerrors;

static void next(void)
{
    while (isspace((unsigned char)*pos) || *pos == '#') {
        if (*pos == '#')
            while (*pos && *pos != '\n')
                pos++;
        else if (*pos++ == '\n')
            line++;
    }
    if (!*pos) {
        token = T_EOF;
        return;
    }
    if (isdigit((unsigned char)*pos)) {
        char *e;
        number = strtol(pos, &e, 10);
        pos = e;
        token = T_NUM;
        return;
    }
    if (isalpha((unsigned char)*pos)) {
        size_t n = 0;
        while (isalnum((unsigned char)*pos)) {
            if (n < sizeof ident - 1)
                ident[n++] = *pos;
            pos++;
        }
        ident[n] = 0;
        token = T_ID;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (!strcmp(words[i].s, ident))
                token = words[i].t;
        return;
    }
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (!strncmp(doubles[i].s, pos, 2)) {
            token = doubles[i].t;
            pos += 2;
            return;
        }
    token = (unsigned char)*pos++;
}
static void error(const char *what)
{
    if (nerrors++ < 5)
        printf("line %d: %s\n", line, what);
}
static bool accept(int t)
{
    if (token != t)
        return false;
    next();
    return true;
}
static void expect(int t, const char *what)
{
    if (!accept(t)) {
        error(what);
        next();
    }
}

enum op { PUSH, LOAD, STORE, ADD, SUB, MUL, DIV, MOD, NEG, NOT, EQ, NE, LT, LE, GT, GE, JZ, JNZ, JMP, DUP, DROP, PRINT, STOP };
static const char *const opname[] = { "push", "load", "store", "add", "sub", "mul", "div", "mod", "neg", "not", "eq", "ne",
    "lt", "le", "gt", "ge", "jz", "jnz", "jmp", "dup", "drop", "print", "stop" };
static struct { enum op op; long arg; } code[512];
static int here;
static int emit(enum op op, long arg)
{
    if (here == 512) {
        error("program too large");
        here = 0;
    }
    code[here].op = op;
    code[here].arg = arg;
    return here++;
}
static char vars[26][16];
static int nvars;
static int variable(void)
{
    for (int i = 0; i < nvars; i++)
        if (!strcmp(vars[i], ident))
            return i;
    if (nvars == 26) {
        error("too many variables");
        return 0;
    }
    strcpy(vars[nvars], ident);
    return nvars++;
}

static int precedence(int t)
{
    switch (t) {
    case T_OR: return 1;
    case T_AND: return 2;
    case T_EQ: case T_NE: return 3;
    case '<': case '>': case T_LE: case T_GE: return 4;
    case '+': case '-': return 5;
    case '*': case '/': case '%': return 6;
    default: return 0;
    }
}
static enum op operation(int t)
{
    switch (t) {
    case T_EQ: return EQ;
    case T_NE: return NE;
    case '<': return LT;
    case '>': return GT;
    case T_LE: return LE;
    case T_GE: return GE;
    case '+': return ADD;
    case '-': return SUB;
    case '*': return MUL;
    case '/': return DIV;
    default: return MOD;
    }
}
static void expression(int min);
static void factor(void)
{
    if (token == T_NUM) {
        emit(PUSH, number);
        next();
    } else if (token == T_ID) {
        emit(LOAD, variable());
        next();
    } else if (accept('-')) {
        factor();
        emit(NEG, 0);
    } else if (accept('!')) {
        factor();
        emit(NOT, 0);
    } else if (accept('(')) {
        expression(1);
        expect(')', "missing )");
    } else {
        error("expression expected");
        next();
    }
}
static void expression(int min)
{
    factor();
    for (int p; (p = precedence(token)) >= min && p;) {
        int t = token;
        next();
        if (t == T_AND || t == T_OR) {
            emit(DUP, 0);
            int j = emit(t == T_AND ? JZ : JNZ, 0);
            emit(DROP, 0);
            expression(p + 1);
            code[j].arg = here;
            emit(NOT, 0);
            emit(NOT, 0);
        } else {
            expression(p + 1);
            int n = here;
            if (n >= 2 && code[n - 1].op == PUSH && code[n - 2].op == PUSH && (t == '+' || t == '*')) {
                long a = code[n - 2].arg, b = code[n - 1].arg;
                here -= 2;
                emit(PUSH, t == '+' ? a + b : a * b);
            } else
                emit(operation(t), 0);
        }
    }
}
static void statement(void)
{
    if (accept('{')) {
        while (token != '}' && token != T_EOF)
            statement();
        expect('}', "missing }");
    } else if (accept(T_IF)) {
        expression(1);
        int j = emit(JZ, 0);
        statement();
        if (accept(T_ELSE)) {
            int k = emit(JMP, 0);
            code[j].arg = here;
            statement();
            code[k].arg = here;
        } else
            code[j].arg = here;
    } else if (accept(T_WHILE)) {
        int top = here;
        expression(1);
        int j = emit(JZ, 0);
        statement();
        emit(JMP, top);
        code[j].arg = here;
    } else if (accept(T_PRINT)) {
        do {
            expression(1);
            emit(PRINT, token == ',');
        } while (accept(','));
        expect(';', "missing ;");
    } else if (token == T_ID) {
        int v = variable();
        next();
        expect('=', "missing =");
        expression(1);
        emit(STORE, v);
        expect(';', "missing ;");
    } else {
        error("statement expected");
        next();
    }
}
static int run(void)
{
    long st[64], var[26] = { 0 }, steps = 0;
    int sp = 0;
    for (int pc = 0; steps < 50000; steps++) {
        long arg = code[pc].arg;
        enum op op = code[pc++].op;
        if (op >= ADD && op <= MOD || op >= EQ && op <= GE) {
            long b = st[--sp], a = st[sp - 1], r = 0;
            switch (op) {
            case ADD: r = a + b; break;
            case SUB: r = a - b; break;
            case MUL: r = a * b; break;
            case DIV: case MOD:
                if (!b) {
                    printf("division by zero at %d\n", pc - 1);
                    return 1;
                }
                r = op == DIV ? a / b : a % b;
                break;
            case EQ: r = a == b; break;
            case NE: r = a != b; break;
            case LT: r = a < b; break;
            case LE: r = a <= b; break;
            case GT: r = a > b; break;
            default: r = a >= b; break;
            }
            st[sp - 1] = r;
            continue;
        }
        switch (op) {
        case PUSH: st[sp++] = arg; break;
        case LOAD: st[sp++] = var[arg]; break;
        case STORE: var[arg] = st[--sp]; break;
        case NEG: st[sp - 1] = -st[sp - 1]; break;
        case NOT: st[sp - 1] = !st[sp - 1]; break;
        case JZ: if (!st[--sp]) pc = (int)arg; break;
        case JNZ: if (st[--sp]) pc = (int)arg; break;
        case JMP: pc = (int)arg; break;
        case DUP: st[sp] = st[sp - 1]; sp++; break;
        case DROP: sp--; break;
        case PRINT: printf("%ld%c", st[--sp], arg ? ' ' : '\n'); break;
        default:
            printf("%ld steps\n", steps);
            return sp;
        }
    }
    puts("step limit");
    return 2;
}
int main(void)
{
    source[fread(source, 1, sizeof source - 1, stdin)] = 0;
    next();
    while (token != T_EOF)
        statement();
    emit(STOP, 0);
    for (int i = 0; i < here; i++) {
        printf("%3d %-6s", i, opname[code[i].op]);
        switch (code[i].op) {
        case PUSH: case JZ: case JNZ: case JMP: printf("%ld", code[i].arg); break;
        case LOAD: case STORE: fputs(vars[code[i].arg], stdout); break;
        default: break;
        }
        putchar('\n');
    }
    if (nerrors) {
        printf("%d errors\n", nerrors);
        return 100;
    }
    return run();
}
