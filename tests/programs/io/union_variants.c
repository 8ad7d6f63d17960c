#include <stdio.h>
#include <string.h>

enum tag { INT, REAL, TEXT, PAIR };
struct value {
    enum tag tag;
    union {
        long i;
        double r;
        char text[12];
        struct { short x, y; } pair;
    };
};
static struct value mk_int(long i) { return (struct value){ .tag = INT, .i = i }; }
static struct value mk_real(double r) { return (struct value){ REAL, .r = r }; }
static struct value mk_text(const char *s)
{
    struct value v = { .tag = TEXT };
    strncpy(v.text, s, sizeof v.text - 1);
    return v;
}
static struct value mk_pair(int x, int y) { return (struct value){ PAIR, .pair = { x, .y = y } }; }
static void show(struct value v)
{
    switch (v.tag) {
    case INT: printf("int %ld\n", v.i); break;
    case REAL: printf("real %g\n", v.r); break;
    case TEXT: printf("text '%s'\n", v.text); break;
    case PAIR: printf("pair %d %d\n", v.pair.x, v.pair.y); break;
    }
}
static struct value add(struct value a, struct value b)
{
    if (a.tag == INT && b.tag == INT) return mk_int(a.i + b.i);
    if (a.tag == PAIR && b.tag == PAIR) return mk_pair(a.pair.x + b.pair.x, a.pair.y + b.pair.y);
    if (a.tag == TEXT && b.tag == TEXT) {
        char buf[32];
        snprintf(buf, sizeof buf, "%s%s", a.text, b.text);
        return mk_text(buf);
    }
    return mk_real((a.tag == INT ? a.i : a.tag == REAL ? a.r : 0) + (b.tag == INT ? b.i : b.tag == REAL ? b.r : 0));
}
int main(void)
{
    struct value v[] = { mk_int(5), mk_real(2.5), mk_text("hello "), mk_pair(1, 2), mk_int(-7), mk_text("worldly wise"), mk_pair(10, -20) };
    for (unsigned i = 0; i < 7; i++)
        show(v[i]);
    show(add(v[0], v[4]));
    show(add(v[0], v[1]));
    show(add(v[2], v[5]));
    show(add(v[3], v[6]));
    show(add(v[3], v[1]));
    printf("%zu\n", sizeof(struct value));
    return 0;
}
