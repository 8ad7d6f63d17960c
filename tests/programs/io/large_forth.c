/* A mini-Forth: threaded code, user definitions, conditionals, loops and strings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <setjmp.h>

typedef long cell;
typedef void prim(void);
enum { DSTACK = 64, RSTACK = 64, CODE = 1024, WORDS = 96, MEM = 64 };
struct word { char name[16]; prim *code; int body; unsigned immediate : 1, user : 1; };

static struct word dict[WORDS];
static int nwords;
static union { const struct word *w; cell n; const char *s; } code[CODE];
static int here, ip;
static cell ds[DSTACK], rs[RSTACK], mem[MEM];
static int dp, rp, memtop;
static const struct word *current;
static int compiling;
static char input[256], *in;
static jmp_buf recover;
static char *strings[32];
static int nstrings;

static _Noreturn void die(const char *why, const char *what)
{
    printf("? %s%s%s\n", why, *what ? ": " : "", what);
    longjmp(recover, 1);
}
static void push(cell v)
{
    if (dp == DSTACK)
        die("stack full", "");
    ds[dp++] = v;
}
static cell pop(void)
{
    if (!dp)
        die("stack empty", "");
    return ds[--dp];
}
static void rpush(cell v)
{
    if (rp == RSTACK)
        die("return stack full", "");
    rs[rp++] = v;
}
static struct word *find(const char *n)
{
    for (int i = nwords - 1; i >= 0; i--)
        if (!strcasecmp(dict[i].name, n))
            return &dict[i];
    return NULL;
}
static struct word *define(const char *n, prim *p)
{
    if (nwords == WORDS)
        die("dictionary full", n);
    struct word *w = &dict[nwords++];
    *w = (struct word){ .code = p, .body = here };
    snprintf(w->name, sizeof w->name, "%s", n);
    return w;
}
static char *token(void)
{
    while (isspace((unsigned char)*in))
        in++;
    if (!*in)
        return NULL;
    char *t = in;
    while (*in && !isspace((unsigned char)*in))
        in++;
    if (*in)
        *in++ = 0;
    return t;
}
static void execute(const struct word *w)
{
    current = w;
    w->code();
}
static void compile(const char *name)
{
    if (here >= CODE - 2)
        die("code space full", "");
    code[here++].w = find(name);
}
static void run(int at)
{
    int saved = ip;
    for (ip = at; ip >= 0;)
        execute(code[ip++].w);
    ip = saved;
}
static void docol(void)
{
    int body = current->body;
    if (rp > 40)
        die("recursion too deep", current->name);
    rpush(ip);
    run(body);
    ip = (int)rs[--rp];
}
#define BIN(name, expr) static void name(void) { cell b = pop(), a = pop(); push(expr); }
BIN(p_add, a + b) BIN(p_sub, a - b) BIN(p_mul, a * b) BIN(p_eq, -(a == b)) BIN(p_lt, -(a < b)) BIN(p_gt, -(a > b))
BIN(p_and, a & b) BIN(p_or, a | b) BIN(p_xor, a ^ b) BIN(p_max, a > b ? a : b)
static void p_div(void) { cell b = pop(), a = pop(); if (!b) die("division by zero", ""); push(a / b); }
static void p_mod(void) { cell b = pop(), a = pop(); if (!b) die("division by zero", ""); push(a % b); }
static void p_dup(void) { cell a = pop(); push(a); push(a); }
static void p_drop(void) { pop(); }
static void p_swap(void) { cell b = pop(), a = pop(); push(b); push(a); }
static void p_over(void) { cell b = pop(), a = pop(); push(a); push(b); push(a); }
static void p_rot(void) { cell c = pop(), b = pop(), a = pop(); push(b); push(c); push(a); }
static void p_dot(void) { printf("%ld ", pop()); }
static void p_emit(void) { putchar((int)pop()); }
static void p_cr(void) { putchar('\n'); }
static void p_dots(void)
{
    printf("<%d> ", dp);
    for (int i = 0; i < dp; i++)
        printf("%ld ", ds[i]);
}
static cell *addr(cell a) { if (a < 0 || a >= MEM) die("bad address", ""); return &mem[a]; }
static void p_fetch(void) { push(*addr(pop())); }
static void p_store(void) { cell a = pop(); *addr(a) = pop(); }
static void p_tor(void) { rpush(pop()); }
static void p_fromr(void) { push(rs[--rp]); }
static void p_i(void) { push(rs[rp - 1]); }
static void p_lit(void) { push(code[ip++].n); }
static void p_exit(void) { ip = -1; }
static void p_branch(void) { ip = (int)code[ip].n; }
static void p_zbranch(void) { if (pop()) ip++; else ip = (int)code[ip].n; }
static void p_do(void) { cell from = pop(), to = pop(); rpush(to); rpush(from); }
static void p_loop(void)
{
    if (++rs[rp - 1] < rs[rp - 2])
        ip = (int)code[ip].n;
    else {
        rp -= 2;
        ip++;
    }
}
static void p_str(void) { fputs(code[ip++].s, stdout); }
static void p_colon(void)
{
    char *n = token();
    if (!n)
        die("name expected", "");
    define(n, docol)->user = 1;
    compiling = 1;
}
static void p_semi(void) { compile("exit"); compiling = 0; }
static void p_if(void) { compile("0branch"); push(here++); }
static void p_else(void) { cell at = pop(); compile("branch"); push(here++); code[at].n = here; }
static void p_then(void) { code[pop()].n = here; }
static void p_begin(void) { push(here); }
static void p_until(void) { compile("0branch"); code[here++].n = pop(); }
static void p_docomp(void) { compile("(do)"); push(here); }
static void p_loopcomp(void) { compile("(loop)"); code[here++].n = pop(); }
static void p_recurse(void) { code[here++].w = &dict[nwords - 1]; }
static void p_quote(void)
{
    char *e = strchr(in, '"');
    if (!e || nstrings == 32)
        die("unterminated string", "");
    *e = 0;
    if (compiling) {
        strings[nstrings] = strdup(in);
        compile("(str)");
        code[here++].s = strings[nstrings++];
    } else
        fputs(in, stdout);
    in = e + 1;
}
static void p_var_run(void) { push(current->body); }
static void p_variable(void)
{
    char *n = token();
    if (!n || memtop == MEM)
        die("cannot define", "variable");
    define(n, p_var_run)->body = memtop++;
}
static void p_words(void)
{
    for (int i = 0; i < nwords; i++)
        if (dict[i].user)
            printf("%s ", dict[i].name);
}
static const struct { const char *n; prim *p; int imm; } builtin[] = {
    { "+", p_add }, { "-", p_sub }, { "*", p_mul }, { "/", p_div }, { "mod", p_mod }, { "=", p_eq }, { "<", p_lt }, { ">", p_gt },
    { "and", p_and }, { "or", p_or }, { "xor", p_xor }, { "max", p_max }, { "dup", p_dup }, { "drop", p_drop }, { "swap", p_swap },
    { "over", p_over }, { "rot", p_rot }, { ".", p_dot }, { "emit", p_emit }, { "cr", p_cr }, { ".s", p_dots }, { "@", p_fetch },
    { "!", p_store }, { ">r", p_tor }, { "r>", p_fromr }, { "i", p_i }, { "lit", p_lit }, { "exit", p_exit }, { "branch", p_branch },
    { "0branch", p_zbranch }, { "(do)", p_do }, { "(loop)", p_loop }, { "(str)", p_str }, { ":", p_colon }, { ";", p_semi, 1 },
    { "if", p_if, 1 }, { "else", p_else, 1 }, { "then", p_then, 1 }, { "begin", p_begin, 1 }, { "until", p_until, 1 },
    { "do", p_docomp, 1 }, { "loop", p_loopcomp, 1 }, { "recurse", p_recurse, 1 }, { ".\"", p_quote, 1 },
    { "variable", p_variable }, { "words", p_words } };

static void interpret(void)
{
    char *t;
    while ((t = token())) {
        struct word *w = find(t);
        if (w) {
            if (compiling && !w->immediate)
                code[here++].w = w;
            else
                execute(w);
            continue;
        }
        char *e;
        cell v = strtol(t, &e, 0);
        if (*e)
            die("unknown word", t);
        if (compiling) {
            compile("lit");
            code[here++].n = v;
        } else
            push(v);
    }
}
int main(void)
{
    volatile int errors = 0;
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        define(builtin[i].n, builtin[i].p)->immediate = builtin[i].imm;
    while (fgets(input, sizeof input, stdin)) {
        in = input;
        if (setjmp(recover)) {
            errors++;
            dp = rp = compiling = 0;
            continue;
        }
        interpret();
        if (!compiling)
            puts("ok");
    }
    while (nstrings)
        free(strings[--nstrings]);
    return errors;
}
