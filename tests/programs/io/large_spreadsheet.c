/* A spreadsheet: numbers, text and formulas with ranges, cycles detected. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

enum { ROWS = 8, COLS = 6 };
enum kind { BLANK, NUMBER, TEXT, FORMULA };
enum mark { FRESH, BUSY, DONE };
enum fault { FINE, E_CYCLE, E_SYNTAX, E_DIV, E_REF };

struct cell {
    enum kind kind;
    enum mark mark;
    enum fault fault;
    double value;
    char *text;
};
static struct cell sheet[ROWS][COLS];
static int evaluations;

static void evaluate(struct cell *c);

struct parser { const char *p; enum fault fault; };
static double sum(struct parser *ps);

static void blanks(struct parser *ps) { while (*ps->p == ' ') ps->p++; }

static struct cell *reference(struct parser *ps)
{
    blanks(ps);
    int col = toupper((unsigned char)*ps->p) - 'A';
    if (col < 0 || col >= 26 || !isdigit((unsigned char)ps->p[1])) {
        ps->fault = E_SYNTAX;
        return NULL;
    }
    char *e;
    long row = strtol(ps->p + 1, &e, 10) - 1;
    ps->p = e;
    if (row < 0 || row >= ROWS || col >= COLS) {
        ps->fault = E_REF;
        return NULL;
    }
    return &sheet[row][col];
}
static double fetch(struct parser *ps, struct cell *c)
{
    evaluate(c);
    if (c->fault && !ps->fault)
        ps->fault = c->fault;
    return c->value;
}
struct fold { double acc; int n; };
typedef void folder(struct fold *, double);
static void f_sum(struct fold *f, double v) { f->acc += v; f->n++; }
static void f_min(struct fold *f, double v) { if (!f->n++ || v < f->acc) f->acc = v; }
static void f_max(struct fold *f, double v) { if (!f->n++ || v > f->acc) f->acc = v; }
static void f_count(struct fold *f, double v) { (void)v; f->acc = ++f->n; }
static const struct { const char *name; folder *f; int mean; } functions[] = {
    { "SUM", f_sum, 0 }, { "AVG", f_sum, 1 }, { "MIN", f_min, 0 }, { "MAX", f_max, 0 }, { "COUNT", f_count, 0 } };

static double call(struct parser *ps, const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) != len || strncasecmp(functions[i].name, name, len))
            continue;
        struct cell *a = reference(ps), *b = a;
        blanks(ps);
        if (*ps->p == ':') {
            ps->p++;
            b = reference(ps);
        }
        blanks(ps);
        if (*ps->p == ')')
            ps->p++;
        else if (!ps->fault)
            ps->fault = E_SYNTAX;
        if (!a || !b)
            return 0;
        int ia = (int)(a - &sheet[0][0]), ib = (int)(b - &sheet[0][0]);
        int r0 = ia / COLS, c0 = ia % COLS, r1 = ib / COLS, c1 = ib % COLS;
        struct fold f = { 0, 0 };
        for (int r = r0; r <= r1; r++)
            for (int c = c0; c <= c1; c++)
                if (sheet[r][c].kind == NUMBER || sheet[r][c].kind == FORMULA)
                    functions[i].f(&f, fetch(ps, &sheet[r][c]));
        if (functions[i].mean) {
            if (!f.n) {
                ps->fault = E_DIV;
                return 0;
            }
            return f.acc / f.n;
        }
        return f.acc;
    }
    ps->fault = E_SYNTAX;
    return 0;
}
static double atom(struct parser *ps)
{
    blanks(ps);
    if (*ps->p == '(') {
        ps->p++;
        double v = sum(ps);
        blanks(ps);
        if (*ps->p == ')')
            ps->p++;
        else if (!ps->fault)
            ps->fault = E_SYNTAX;
        return v;
    }
    if (*ps->p == '-') {
        ps->p++;
        return -atom(ps);
    }
    if (isdigit((unsigned char)*ps->p) || *ps->p == '.') {
        char *e;
        double v = strtod(ps->p, &e);
        ps->p = e;
        return v;
    }
    if (isalpha((unsigned char)*ps->p)) {
        const char *s = ps->p;
        while (isalpha((unsigned char)*ps->p))
            ps->p++;
        if (*ps->p == '(') {
            size_t n = ps->p - s;
            ps->p++;
            return call(ps, s, n);
        }
        ps->p = s;
        struct cell *c = reference(ps);
        return c ? fetch(ps, c) : 0;
    }
    if (!ps->fault)
        ps->fault = E_SYNTAX;
    return 0;
}
static double product(struct parser *ps)
{
    double v = atom(ps);
    for (;;) {
        blanks(ps);
        if (*ps->p == '*') {
            ps->p++;
            v *= atom(ps);
        } else if (*ps->p == '/') {
            ps->p++;
            double d = atom(ps);
            if (d == 0) {
                if (!ps->fault)
                    ps->fault = E_DIV;
            } else
                v /= d;
        } else
            return v;
    }
}
static double sum(struct parser *ps)
{
    double v = product(ps);
    for (;;) {
        blanks(ps);
        if (*ps->p == '+') {
            ps->p++;
            v += product(ps);
        } else if (*ps->p == '-') {
            ps->p++;
            v -= product(ps);
        } else
            return v;
    }
}
static void evaluate(struct cell *c)
{
    if (c->kind != FORMULA || c->mark == DONE)
        return;
    if (c->mark == BUSY) {
        c->fault = E_CYCLE;
        return;
    }
    c->mark = BUSY;
    evaluations++;
    struct parser ps = { c->text + 1, FINE };
    double v = sum(&ps);
    blanks(&ps);
    if (!ps.fault && *ps.p)
        ps.fault = E_SYNTAX;
    c->fault = ps.fault;
    c->value = ps.fault ? 0 : v;
    c->mark = DONE;
}
static void assign(struct cell *c, const char *s)
{
    free(c->text);
    *c = (struct cell){ .text = strdup(s) };
    char *e;
    if (*s == '=')
        c->kind = FORMULA;
    else {
        c->value = strtod(s, &e);
        c->kind = !*s ? BLANK : *e ? TEXT : NUMBER;
    }
}
static void show(void)
{
    static const char *const names[] = { "", "#CYCLE", "#SYNTAX", "#DIV/0", "#REF" };
    evaluations = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            sheet[r][c].mark = FRESH, sheet[r][c].fault = FINE;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            evaluate(&sheet[r][c]);
    for (int c = 0; c < COLS; c++)
        printf("%11c", 'A' + c);
    putchar('\n');
    for (int r = 0; r < ROWS; r++) {
        printf("%d", r + 1);
        for (int c = 0; c < COLS; c++) {
            struct cell *x = &sheet[r][c];
            printf("%c", c ? '|' : ' ');
            if (x->fault)
                printf("%-10s", names[x->fault]);
            else if (x->kind == TEXT)
                printf("%-10.10s", x->text);
            else if (x->kind == BLANK)
                printf("%10s", "");
            else
                printf("%10.6g", x->value);
        }
        putchar('\n');
    }
    printf("%d evaluations\n", evaluations);
}
int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!strcmp(line, "show")) {
            show();
            continue;
        }
        struct parser ps = { line, FINE };
        struct cell *c = reference(&ps);
        if (!c) {
            printf("ignored: %s\n", line);
            continue;
        }
        blanks(&ps);
        assign(c, ps.p);
    }
    for (int i = 0; i < ROWS * COLS; i++)
        free(sheet[i / COLS][i % COLS].text);
    return 0;
}
