#include <stdio.h>
#include <string.h>
#include "store.h"

static struct entry *lookup(struct store *s, const char *name)
{
    for (size_t i = 0; i < s->used; i++)
        if (!strcmp(s->e[i].name, name)) return &s->e[i];
    return NULL;
}
enum status store_add(struct store *s, const char *name, int q)
{
    if (q <= 0) return BAD_AMOUNT;
    struct entry *e = lookup(s, name);
    if (!e) {
        if (s->used == STORE_MAX) return FULL;
        e = &s->e[s->used++];
        memset(e, 0, sizeof *e);
        strncpy(e->name, name, sizeof e->name - 1);
    }
    e->qty += q;
    return OK;
}
enum status store_take(struct store *s, const char *name, int q)
{
    struct entry *e = lookup(s, name);
    if (!e) return MISSING;
    if (q > e->qty) return TOO_FEW;
    if (!(e->qty -= q)) *e = s->e[--s->used];
    return OK;
}
void store_list(const struct store *s)
{
    for (size_t i = 0; i < s->used; i++)
        printf("%-10s|%4d\n", s->e[i].name, s->e[i].qty);
    printf("(%zu)\n", s->used);
}
