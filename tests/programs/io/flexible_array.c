#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

struct str { size_t len; char data[]; };
struct table { int n; struct { short k; int v; } row[]; };

static struct str *make(const char *s)
{
    size_t n = strlen(s);
    struct str *r = malloc(sizeof *r + n + 1);
    r->len = n;
    memcpy(r->data, s, n + 1);
    return r;
}
static struct str *concat(const struct str *a, const struct str *b)
{
    struct str *r = malloc(offsetof(struct str, data) + a->len + b->len + 1);
    r->len = a->len + b->len;
    memcpy(r->data, a->data, a->len);
    memcpy(r->data + a->len, b->data, b->len + 1);
    return r;
}
static struct str preset = { 4, "abc" };

int main(void)
{
    struct str *a = make("flexible "), *b = make("array"), *c = concat(a, b);
    printf("%zu %s\n", c->len, c->data);
    free(a); free(b); free(c);
    int n = 5;
    struct table *t = malloc(sizeof *t + n * sizeof t->row[0]);
    t->n = 0;
    while (t->n < n) {
        t->row[t->n].k = t->n;
        t->row[t->n].v = t->n * t->n;
        t->n++;
    }
    t = realloc(t, sizeof *t + 2 * n * sizeof t->row[0]);
    for (int i = n; i < 2 * n; i++)
        t->row[i] = t->row[i - n], t->row[i].v = -t->row[i].v;
    int s = 0;
    for (int i = 0; i < 2 * n; i++)
        s += t->row[i].k * 10 + t->row[i].v;
    printf("%d %zu %zu\n", s, sizeof(struct str), sizeof(struct table));
    free(t);
    printf("%s %zu\n", preset.data, preset.len);
    return 0;
}
