#include <stdlib.h>
#include <string.h>
#include "list.h"

struct list { size_t size, n; struct cell *head, **tail; };
struct cell { struct cell *next; _Alignas(16) unsigned char data[]; };

struct list *list_new(size_t size)
{
    struct list *l = malloc(sizeof *l);
    *l = (struct list){ size, 0, NULL, &l->head };
    return l;
}
void list_add(struct list *l, const void *v)
{
    struct cell *c = malloc(sizeof *c + l->size);
    c->next = NULL;
    memcpy(c->data, v, l->size);
    *l->tail = c;
    l->tail = &c->next;
    l->n++;
}
void *list_at(struct list *l, size_t i)
{
    struct cell *c = l->head;
    while (i--) c = c->next;
    return c->data;
}
void list_each(struct list *l, void (*f)(void *, void *), void *ctx)
{
    for (struct cell *c = l->head; c; c = c->next) f(c->data, ctx);
}
void list_sort(struct list *l, int (*cmp)(const void *, const void *))
{
    struct cell *out = NULL;
    while (l->head) {
        struct cell *c = l->head, **p = &out;
        l->head = c->next;
        while (*p && cmp((*p)->data, c->data) <= 0) p = &(*p)->next;
        c->next = *p;
        *p = c;
    }
    l->head = out;
    l->tail = &l->head;
    while (*l->tail) l->tail = &(*l->tail)->next;
}
void list_free(struct list *l)
{
    for (struct cell *c = l->head, *n; c; c = n) { n = c->next; free(c); }
    free(l);
}
