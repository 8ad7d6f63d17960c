/* A small register machine with an assembler reading from standard input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <stdint.h>

#define OPCODES(X) \
    X(NOP, "") X(MOVI, "ri") X(MOV, "rr") X(ADD, "rrr") X(SUB, "rrr") X(MUL, "rrr") X(DIV, "rrr") \
    X(ADDI, "ri") X(CMP, "rr") X(JMP, "l") X(JE, "l") X(JNE, "l") X(JL, "l") X(JG, "l") \
    X(CALL, "l") X(RET, "") X(PUSH, "r") X(POP, "r") X(LD, "rr") X(ST, "rr") X(OUT, "r") X(OUTC, "r") X(HALT, "")

enum op {
#define X(n, f) OP_##n,
    OPCODES(X)
#undef X
    OP_COUNT
};

static const struct { const char *name, *fmt; } optab[OP_COUNT] = {
#define X(n, f) [OP_##n] = { #n, f },
    OPCODES(X)
#undef X
};

struct insn { uint8_t op; uint8_t r[3]; int32_t imm; };

enum { MAXCODE = 256, MAXLABEL = 32, MEM = 128, STACK = 64, REGS = 8 };

struct label { char name[16]; int addr; };

static struct insn code[MAXCODE];
static int ncode;
static struct label labels[MAXLABEL];
static int nlabels;
static int errors;

static int label_ref(const char *name)
{
    for (int i = 0; i < nlabels; i++)
        if (!strcmp(labels[i].name, name))
            return i;
    if (nlabels == MAXLABEL) {
        errors++;
        return 0;
    }
    snprintf(labels[nlabels].name, sizeof labels[0].name, "%s", name);
    labels[nlabels].addr = -1;
    return nlabels++;
}

static char *next_token(char **s)
{
    while (isspace((unsigned char)**s) || **s == ',')
        ++*s;
    if (!**s || **s == ';')
        return NULL;
    char *t = *s;
    while (**s && !isspace((unsigned char)**s) && **s != ',' && **s != ';')
        ++*s;
    if (**s == ';')
        **s = '\0';
    else if (**s)
        *(*s)++ = '\0';
    return t;
}

static void complain(int line, const char *what, const char *tok)
{
    printf("line %d: %s '%s'\n", line, what, tok ? tok : "");
    errors++;
}

static void assemble_line(char *s, int line)
{
    char *t = next_token(&s);
    if (!t)
        return;
    size_t len = strlen(t);
    if (t[len - 1] == ':') {
        t[len - 1] = '\0';
        labels[label_ref(t)].addr = ncode;
        t = next_token(&s);
        if (!t)
            return;
    }
    int op;
    for (op = 0; op < OP_COUNT; op++)
        if (!strcasecmp(optab[op].name, t))
            break;
    if (op == OP_COUNT) {
        complain(line, "unknown instruction", t);
        return;
    }
    if (ncode == MAXCODE)
        return;
    struct insn in = { .op = (uint8_t)op };
    int nreg = 0;
    for (const char *f = optab[op].fmt; *f; f++) {
        t = next_token(&s);
        if (!t) {
            complain(line, "missing operand for", optab[op].name);
            return;
        }
        switch (*f) {
        case 'r':
            if (tolower((unsigned char)t[0]) != 'r' || t[1] < '0' || t[1] >= '0' + REGS || t[2]) {
                complain(line, "bad register", t);
                return;
            }
            in.r[nreg++] = t[1] - '0';
            break;
        case 'i':
            if (t[0] == '\'' && t[1])
                in.imm = t[1] == '\\' ? '\n' : t[1];
            else {
                char *e;
                in.imm = (int32_t)strtol(t, &e, 0);
                if (*e)
                    complain(line, "bad number", t);
            }
            break;
        case 'l':
            in.imm = label_ref(t);
            break;
        }
    }
    code[ncode++] = in;
}

enum fault { F_NONE, F_STACK, F_MEM, F_DIV, F_PC, F_STEPS };
static const char *const fault_name[] = { "halt", "stack fault", "memory fault", "division fault", "bad pc", "step limit" };

struct machine {
    int32_t reg[REGS];
    int32_t mem[MEM];
    int32_t stack[STACK];
    int sp, pc, flag;
    long steps;
};

static enum fault run(struct machine *m, long limit)
{
    for (;;) {
        if (m->pc < 0 || m->pc >= ncode)
            return F_PC;
        if (m->steps++ >= limit)
            return F_STEPS;
        const struct insn *in = &code[m->pc++];
        int32_t *a = &m->reg[in->r[0]], *b = &m->reg[in->r[1]], *c = &m->reg[in->r[2]];
        int target = in->imm;
        switch ((enum op)in->op) {
        case OP_NOP: break;
        case OP_MOVI: *a = in->imm; break;
        case OP_MOV: *a = *b; break;
        case OP_ADD: *a = (int32_t)((uint32_t)*b + (uint32_t)*c); break;
        case OP_SUB: *a = (int32_t)((uint32_t)*b - (uint32_t)*c); break;
        case OP_MUL: *a = (int32_t)((uint32_t)*b * (uint32_t)*c); break;
        case OP_DIV:
            if (*c == 0 || (*c == -1 && *b == INT32_MIN))
                return F_DIV;
            *a = *b / *c;
            break;
        case OP_ADDI: *a = (int32_t)((uint32_t)*a + (uint32_t)in->imm); break;
        case OP_CMP: m->flag = (*a > *b) - (*a < *b); break;
        case OP_JE: if (m->flag != 0) break; goto jump;
        case OP_JNE: if (m->flag == 0) break; goto jump;
        case OP_JL: if (m->flag >= 0) break; goto jump;
        case OP_JG: if (m->flag <= 0) break; goto jump;
        case OP_CALL:
            if (m->sp == STACK) return F_STACK;
            m->stack[m->sp++] = m->pc;
            /* fall through */
        case OP_JMP:
        jump:
            m->pc = labels[target].addr;
            break;
        case OP_RET:
            if (!m->sp) return F_STACK;
            m->pc = m->stack[--m->sp];
            break;
        case OP_PUSH:
            if (m->sp == STACK) return F_STACK;
            m->stack[m->sp++] = *a;
            break;
        case OP_POP:
            if (!m->sp) return F_STACK;
            *a = m->stack[--m->sp];
            break;
        case OP_LD:
            if (*b < 0 || *b >= MEM) return F_MEM;
            *a = m->mem[*b];
            break;
        case OP_ST:
            if (*a < 0 || *a >= MEM) return F_MEM;
            m->mem[*a] = *b;
            break;
        case OP_OUT: printf("%d\n", *a); break;
        case OP_OUTC: putchar(*a); break;
        case OP_HALT: return F_NONE;
        case OP_COUNT: return F_PC;
        }
    }
}

int main(void)
{
    char line[128];
    int no = 0;
    while (fgets(line, sizeof line, stdin))
        assemble_line(line, ++no);
    for (int i = 0; i < nlabels; i++)
        if (labels[i].addr < 0)
            complain(0, "undefined label", labels[i].name);
    printf("%d instructions, %d labels, %d errors\n", ncode, nlabels, errors);
    struct machine m = { .pc = 0 };
    enum fault f = run(&m, 20000);
    printf("%s after %ld steps, sp %d\n", fault_name[f], m.steps, m.sp);
    for (int i = 0; i < REGS; i++)
        printf("r%d=%d%c", i, m.reg[i], i == REGS - 1 ? '\n' : ' ');
    return (int)f * 10 + errors;
}
