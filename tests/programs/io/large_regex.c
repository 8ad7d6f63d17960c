/* Backtracking regular expressions: . * + ? [] [^] () | ^ $ \d \w \s and counted repeats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

enum kind { CHAR, ANY, CLASS, BOL, EOL, GROUP, STAR, CAT, ALT, EMPTY };

struct re {
    enum kind kind;
    union {
        int ch;
        unsigned char set[32];
        struct { struct re *a, *b; } bin;
        struct { struct re *sub; int min, max; } rep;
        struct { struct re *sub; int index; } grp;
    };
};

static struct re pool[256];
static int npool, ngroups;
static const char *src;
static const char *failure;

static struct re *node(enum kind k)
{
    if (npool == 256) {
        failure = "too complex";
        npool = 0;
    }
    struct re *r = &pool[npool++];
    memset(r, 0, sizeof *r);
    r->kind = k;
    return r;
}

static void set_add(struct re *r, int c) { r->set[c >> 3 & 31] |= 1 << (c & 7); }
static int set_has(const struct re *r, int c) { return r->set[c >> 3] >> (c & 7) & 1; }

static void add_escape(struct re *r, int e)
{
    for (int c = 0; c < 256; c++) {
        int yes = 0;
        switch (e) {
        case 'd': yes = isdigit(c); break;
        case 'w': yes = isalnum(c) || c == '_'; break;
        case 's': yes = isspace(c); break;
        default: yes = c == e;
        }
        if (yes)
            set_add(r, c);
    }
}

static struct re *alternation(void);

static struct re *bracket(void)
{
    struct re *r = node(CLASS);
    int negate = 0, first = 1;
    if (*src == '^') {
        negate = 1;
        src++;
    }
    while (*src && (*src != ']' || first)) {
        first = 0;
        if (*src == '\\' && src[1]) {
            add_escape(r, src[1]);
            src += 2;
        } else if (src[1] == '-' && src[2] && src[2] != ']') {
            for (int c = (unsigned char)src[0]; c <= (unsigned char)src[2]; c++)
                set_add(r, c);
            src += 3;
        } else
            set_add(r, (unsigned char)*src++);
    }
    if (*src == ']')
        src++;
    else
        failure = "missing ]";
    if (negate)
        for (int i = 0; i < 32; i++)
            r->set[i] = ~r->set[i];
    return r;
}

static struct re *atom(void)
{
    struct re *r;
    switch (*src) {
    case '.': src++; return node(ANY);
    case '^': src++; return node(BOL);
    case '$': src++; return node(EOL);
    case '[': src++; return bracket();
    case '\\':
        r = node(CLASS);
        if (!src[1]) {
            failure = "trailing backslash";
            return r;
        }
        add_escape(r, src[1]);
        src += 2;
        return r;
    case '(': {
        src++;
        int index = ++ngroups;
        struct re *sub = alternation();
        if (*src == ')')
            src++;
        else
            failure = "missing )";
        r = node(GROUP);
        r->grp.sub = sub;
        r->grp.index = index;
        return r;
    }
    case '*': case '+': case '?':
        failure = "nothing to repeat";
        src++;
        return node(EMPTY);
    default:
        r = node(CHAR);
        r->ch = (unsigned char)*src++;
        return r;
    }
}

static struct re *repeat(void)
{
    struct re *a = atom();
    for (;;) {
        int min, max;
        if (*src == '*') { min = 0; max = -1; src++; }
        else if (*src == '+') { min = 1; max = -1; src++; }
        else if (*src == '?') { min = 0; max = 1; src++; }
        else if (*src == '{' && isdigit((unsigned char)src[1])) {
            char *e;
            min = (int)strtol(src + 1, &e, 10);
            max = min;
            if (*e == ',') {
                e++;
                max = isdigit((unsigned char)*e) ? (int)strtol(e, &e, 10) : -1;
            }
            if (*e != '}') {
                failure = "bad repeat";
                return a;
            }
            src = e + 1;
        } else
            return a;
        struct re *r = node(STAR);
        r->rep.sub = a;
        r->rep.min = min;
        r->rep.max = max;
        a = r;
    }
}

static struct re *sequence(void)
{
    struct re *a = NULL;
    while (*src && *src != '|' && *src != ')' && !failure) {
        struct re *b = repeat();
        if (!a)
            a = b;
        else {
            struct re *c = node(CAT);
            c->bin.a = a;
            c->bin.b = b;
            a = c;
        }
    }
    return a ? a : node(EMPTY);
}

static struct re *alternation(void)
{
    struct re *a = sequence();
    while (*src == '|') {
        src++;
        struct re *r = node(ALT);
        r->bin.a = a;
        r->bin.b = sequence();
        a = r;
    }
    return a;
}

/* Matching in continuation-passing style. */
struct cont { int (*go)(struct cont *, const char *); };
struct cat_cont { struct cont base; const struct re *next; struct cont *k; };
struct rep_cont { struct cont base; const struct re *rep; int done; const char *from; struct cont *k; };
struct grp_cont { struct cont base; int index; const char *from; struct cont *k; };

static const char *text;
static struct { const char *from, *to; } caps[10];
static long steps;

static int match(const struct re *r, const char *s, struct cont *k);
static int go_cat(struct cont *c, const char *s)
{
    struct cat_cont *cc = (struct cat_cont *)c;
    return match(cc->next, s, cc->k);
}
static int go_grp(struct cont *c, const char *s)
{
    struct grp_cont *g = (struct grp_cont *)c;
    const char *f = caps[g->index].from, *t = caps[g->index].to;
    caps[g->index].from = g->from;
    caps[g->index].to = s;
    if (g->k->go(g->k, s))
        return 1;
    caps[g->index].from = f;
    caps[g->index].to = t;
    return 0;
}
static int rep_try(const struct re *r, const char *s, int done, struct cont *k);
static int go_rep(struct cont *c, const char *s)
{
    struct rep_cont *rc = (struct rep_cont *)c;
    if (s == rc->from && rc->done >= rc->rep->rep.min)
        return 0;
    return rep_try(rc->rep, s, rc->done + 1, rc->k);
}
static int rep_try(const struct re *r, const char *s, int done, struct cont *k)
{
    if (r->rep.max < 0 || done < r->rep.max) {
        struct rep_cont rc = { { go_rep }, r, done, s, k };
        if (match(r->rep.sub, s, &rc.base))
            return 1;
    }
    return done >= r->rep.min && k->go(k, s);
}
static int match(const struct re *r, const char *s, struct cont *k)
{
    steps++;
    switch (r->kind) {
    case CHAR: return (unsigned char)*s == r->ch && k->go(k, s + 1);
    case ANY: return *s && k->go(k, s + 1);
    case CLASS: return *s && set_has(r, (unsigned char)*s) && k->go(k, s + 1);
    case BOL: return s == text && k->go(k, s);
    case EOL: return !*s && k->go(k, s);
    case EMPTY: return k->go(k, s);
    case ALT: return match(r->bin.a, s, k) || match(r->bin.b, s, k);
    case CAT: {
        struct cat_cont c = { { go_cat }, r->bin.b, k };
        return match(r->bin.a, s, &c.base);
    }
    case GROUP: {
        struct grp_cont g = { { go_grp }, r->grp.index % 10, s, k };
        return match(r->grp.sub, s, &g.base);
    }
    case STAR: return rep_try(r, s, 0, k);
    }
    return 0;
}
static const char *end_at;
static int accept(struct cont *c, const char *s)
{
    (void)c;
    end_at = s;
    return 1;
}

int main(void)
{
    char line[160];
    struct re *prog = NULL;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '/') {
            static char pattern[160];
            strcpy(pattern, line + 1);
            npool = ngroups = 0;
            failure = NULL;
            src = pattern;
            prog = alternation();
            if (!failure && *src)
                failure = "unbalanced )";
            printf("/%s/ %s, %d nodes, %d groups\n", pattern, failure ? failure : "ok", npool, ngroups);
            continue;
        }
        if (!prog || failure)
            continue;
        text = line;
        steps = 0;
        struct cont k = { accept };
        int found = 0;
        for (const char *s = line; !found; s++) {
            memset(caps, 0, sizeof caps);
            if (match(prog, s, &k)) {
                found = 1;
                printf("  %s: '%.*s' at %d", line, (int)(end_at - s), s, (int)(s - line));
                for (int i = 1; i <= ngroups && i < 10; i++)
                    if (caps[i].from)
                        printf(" %d='%.*s'", i, (int)(caps[i].to - caps[i].from), caps[i].from);
                printf(" (%ld steps)\n", steps);
            }
            if (!*s)
                break;
        }
        if (!found)
            printf("  %s: no match (%ld steps)\n", line, steps);
    }
    return 0;
}
