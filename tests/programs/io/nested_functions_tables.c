#include <stdio.h>
#include <string.h>

struct ctx;
typedef int handler(struct ctx *, int argc, char **argv);
struct ctx { int x, y; const struct command *table; int ran; };
struct command { const char *name; int min, max; handler *run; const struct command *sub; };

static int do_move(struct ctx *c, int n, char **v)
{
    int d = 1;
    if (n > 1)
        sscanf(v[1], "%d", &d);
    switch (v[0][0]) {
    case 'n': c->y += d; break;
    case 's': c->y -= d; break;
    case 'e': c->x += d; break;
    case 'w': c->x -= d; break;
    }
    return 0;
}
static int do_where(struct ctx *c, int n, char **v) { return printf("at %d,%d\n", c->x, c->y) < 0; }
static int do_reset(struct ctx *c, int n, char **v) { c->x = c->y = 0; return 0; }
static int do_quit(struct ctx *c, int n, char **v) { return -1; }

static const struct command moves[] = {
    { "n", 0, 1, do_move }, { "s", 0, 1, do_move }, { "e", 0, 1, do_move }, { "w", 0, 1, do_move }, { NULL } };
static const struct command top[] = {
    { "go", 1, 2, NULL, moves }, { "where", 0, 0, do_where }, { "reset", 0, 0, do_reset }, { "quit", 0, 0, do_quit }, { NULL } };

static int dispatch(struct ctx *c, const struct command *t, int n, char **v)
{
    for (; t->name; t++)
        if (!strcmp(t->name, v[0])) {
            if (n - 1 < t->min || n - 1 > t->max)
                return printf("%s: wrong argument count %d\n", t->name, n - 1), 1;
            c->ran++;
            return t->sub ? dispatch(c, t->sub, n - 1, v + 1) : t->run(c, n, v);
        }
    printf("unknown %s\n", v[0]);
    return 1;
}
int main(void)
{
    struct ctx c = { .table = top };
    char line[64], *v[6];
    while (fgets(line, sizeof line, stdin)) {
        int n = 0;
        for (char *t = strtok(line, " \n"); t && n < 6; t = strtok(NULL, " \n"))
            v[n++] = t;
        if (n && dispatch(&c, c.table, n, v) < 0)
            break;
    }
    printf("ran %d\n", c.ran);
    return c.x + c.y;
}
