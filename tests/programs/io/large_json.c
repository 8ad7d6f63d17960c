/* Reads JSON, reports errors, prints it sorted and indented, then compactly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <setjmp.h>

enum type { J_NULL, J_BOOL, J_NUMBER, J_STRING, J_ARRAY, J_OBJECT };
struct json;
struct member { char *key; struct json *value; };
struct json {
    enum type type;
    union {
        int boolean;
        double number;
        char *string;
        struct { struct json **v; size_t n, cap; } array;
        struct { struct member *v; size_t n, cap; } object;
    } u;
};

static const char *in, *start;
static jmp_buf bail;
static const char *error;
static int live;
static struct json *trash[512];
static int ntrash;

static _Noreturn void fail(const char *why)
{
    error = why;
    longjmp(bail, 1);
}
static struct json *make(enum type t)
{
    struct json *j = calloc(1, sizeof *j);
    if (!j || ntrash == 512)
        exit(1);
    j->type = t;
    live++;
    trash[ntrash++] = j;
    return j;
}
static void ws(void) { while (isspace((unsigned char)*in)) in++; }
static struct json *value(int depth);

static char *string(void)
{
    size_t cap = 8, n = 0;
    char *s = malloc(cap);
    struct json *holder = make(J_STRING);
    holder->u.string = s;
    in++;
    while (*in != '"') {
        if (!*in)
            fail("unterminated string");
        int c = (unsigned char)*in++;
        unsigned code = 0;
        if (c == '\\') {
            c = *in++;
            switch (c) {
            case 'n': c = '\n'; break;
            case 't': c = '\t'; break;
            case '"': case '\\': case '/': break;
            case 'u':
                for (int i = 0; i < 4; i++, in++) {
                    if (!isxdigit((unsigned char)*in))
                        fail("bad unicode escape");
                    code = code * 16 + (isdigit((unsigned char)*in) ? *in - '0' : tolower((unsigned char)*in) - 'a' + 10);
                }
                c = code;
                break;
            default: fail("bad escape");
            }
        }
        if (n + 4 > cap)
            holder->u.string = s = realloc(s, cap *= 2);
        if (c < 0x80)
            s[n++] = c;
        else if (!code)
            s[n++] = c;
        else if (c < 0x800) {
            s[n++] = 0xc0 | c >> 6;
            s[n++] = 0x80 | (c & 63);
        } else {
            s[n++] = 0xe0 | c >> 12;
            s[n++] = 0x80 | (c >> 6 & 63);
            s[n++] = 0x80 | (c & 63);
        }
    }
    in++;
    s[n] = 0;
    holder->u.string = NULL;
    return s;
}
static struct json *number(void)
{
    char *e;
    struct json *j = make(J_NUMBER);
    j->u.number = strtod(in, &e);
    if (e == in)
        fail("value expected");
    in = e;
    return j;
}
static struct json *array(int depth)
{
    struct json *j = make(J_ARRAY);
    in++;
    ws();
    if (*in == ']') {
        in++;
        return j;
    }
    for (;;) {
        struct json *v = value(depth + 1);
        if (j->u.array.n == j->u.array.cap) {
            j->u.array.cap = j->u.array.cap * 2 + 2;
            j->u.array.v = realloc(j->u.array.v, j->u.array.cap * sizeof *j->u.array.v);
        }
        j->u.array.v[j->u.array.n++] = v;
        ws();
        if (*in == ']') {
            in++;
            return j;
        }
        if (*in++ != ',')
            fail("expected , or ]");
    }
}
static struct json *object(int depth)
{
    struct json *j = make(J_OBJECT);
    in++;
    ws();
    if (*in == '}') {
        in++;
        return j;
    }
    for (;;) {
        ws();
        if (*in != '"')
            fail("key expected");
        char *k = string();
        if (j->u.object.n == j->u.object.cap) {
            j->u.object.cap = j->u.object.cap * 2 + 2;
            j->u.object.v = realloc(j->u.object.v, j->u.object.cap * sizeof *j->u.object.v);
        }
        struct member *m = &j->u.object.v[j->u.object.n++];
        *m = (struct member){ k, NULL };
        ws();
        if (*in++ != ':')
            fail("expected :");
        struct json *v = value(depth + 1);
        j->u.object.v[j->u.object.n - 1].value = v;
        ws();
        if (*in == '}') {
            in++;
            return j;
        }
        if (*in++ != ',')
            fail("expected , or }");
    }
}
static struct json *value(int depth)
{
    struct json *j;
    if (depth > 20)
        fail("too deep");
    ws();
    switch (*in) {
    case '{': return object(depth);
    case '[': return array(depth);
    case '"': {
        char *s = string();
        j = make(J_STRING);
        j->u.string = s;
        return j;
    }
    case 't': if (strncmp(in, "true", 4)) break; in += 4; j = make(J_BOOL); j->u.boolean = 1; return j;
    case 'f': if (strncmp(in, "false", 5)) break; in += 5; return make(J_BOOL);
    case 'n': if (strncmp(in, "null", 4)) break; in += 4; return make(J_NULL);
    default: return number();
    }
    fail("unknown word");
}
static void free_all(void)
{
    while (ntrash) {
        struct json *j = trash[--ntrash];
        if (j->type == J_STRING)
            free(j->u.string);
        else if (j->type == J_ARRAY)
            free(j->u.array.v);
        else if (j->type == J_OBJECT) {
            for (size_t i = 0; i < j->u.object.n; i++)
                free(j->u.object.v[i].key);
            free(j->u.object.v);
        }
        free(j);
        live--;
    }
}
static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct member *)a)->key, ((const struct member *)b)->key);
}
static void quote(const char *s)
{
    putchar('"');
    for (; *s; s++)
        switch (*s) {
        case '"': case '\\': printf("\\%c", *s); break;
        case '\n': fputs("\\n", stdout); break;
        case '\t': fputs("\\t", stdout); break;
        default: putchar(*s);
        }
    putchar('"');
}
static void nl(int indent) { if (indent >= 0) printf("\n%*s", indent * 2, ""); }
static void print(struct json *j, int indent)
{
    int deeper = indent < 0 ? -1 : indent + 1;
    switch (j->type) {
    case J_NULL: fputs("null", stdout); break;
    case J_BOOL: fputs(j->u.boolean ? "true" : "false", stdout); break;
    case J_NUMBER: printf("%.15g", j->u.number); break;
    case J_STRING: quote(j->u.string); break;
    case J_ARRAY:
        putchar('[');
        for (size_t i = 0; i < j->u.array.n; i++) {
            if (i) putchar(',');
            nl(deeper);
            print(j->u.array.v[i], deeper);
        }
        if (j->u.array.n) nl(indent);
        putchar(']');
        break;
    case J_OBJECT:
        if (j->u.object.n)
            qsort(j->u.object.v, j->u.object.n, sizeof *j->u.object.v, by_key);
        putchar('{');
        for (size_t i = 0; i < j->u.object.n; i++) {
            if (i) putchar(',');
            nl(deeper);
            quote(j->u.object.v[i].key);
            fputs(indent < 0 ? ":" : ": ", stdout);
            print(j->u.object.v[i].value, deeper);
        }
        if (j->u.object.n) nl(indent);
        putchar('}');
        break;
    }
}
int main(void)
{
    char line[300];
    volatile int bad = 0;
    while (fgets(line, sizeof line, stdin)) {
        in = start = line;
        if (setjmp(bail)) {
            bad++;
            printf("error at %d: %s\n", (int)(in - start), error);
        } else {
            struct json *j = value(0);
            ws();
            if (*in)
                fail("trailing characters");
            print(j, 0);
            putchar('\n');
            print(j, -1);
            putchar('\n');
        }
        free_all();
    }
    printf("live %d\n", live);
    return bad;
}
