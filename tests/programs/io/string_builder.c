#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>

typedef struct { char *s; size_t n, cap; int grows; } sb;

static void reserve(sb *b, size_t extra)
{
    if (b->n + extra + 1 <= b->cap) return;
    while (b->cap < b->n + extra + 1)
        b->cap = b->cap ? b->cap * 2 : 8;
    b->s = realloc(b->s, b->cap);
    if (!b->s) abort();
    b->grows++;
}
static sb *add(sb *b, const char *s)
{
    size_t n = strlen(s);
    reserve(b, n);
    memcpy(b->s + b->n, s, n + 1);
    b->n += n;
    return b;
}
static sb *addf(sb *b, const char *f, ...)
{
    va_list ap, cp;
    va_start(ap, f);
    va_copy(cp, ap);
    int n = vsnprintf(NULL, 0, f, ap);
    va_end(ap);
    reserve(b, n);
    vsnprintf(b->s + b->n, n + 1, f, cp);
    va_end(cp);
    b->n += n;
    return b;
}
static void replace(sb *b, const char *from, const char *to)
{
    sb out = { 0 };
    char *p = b->s, *q;
    while ((q = strstr(p, from))) {
        *q = 0;
        add(add(&out, p), to);
        p = q + strlen(from);
    }
    add(&out, p);
    free(b->s);
    *b = out;
}
int main(void)
{
    sb b = { 0 };
    add(add(add(&b, "Hello"), ", "), "world");
    addf(&b, " %d/%d=%.3f", 22, 7, 22.0 / 7);
    printf("%s (%zu, %zu, %d)\n", b.s, b.n, b.cap, b.grows);
    replace(&b, "l", "<L>");
    puts(b.s);
    replace(&b, "<L>", "");
    printf("%s %zu\n", b.s, b.n);
    b.n = 0;
    for (int i = 0; i < 30; i++)
        addf(&b, "%c%x", i ? ',' : '[', i * i);
    add(&b, "]");
    puts(b.s);
    free(b.s);
    return 0;
}
