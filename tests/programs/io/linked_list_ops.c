#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *cons(int v, struct node *n)
{
    struct node *c = malloc(sizeof *c);
    c->v = v;
    c->next = n;
    return c;
}
static struct node *reverse(struct node *l)
{
    struct node *r = NULL;
    while (l) {
        struct node *n = l->next;
        l->next = r;
        r = l;
        l = n;
    }
    return r;
}
static struct node *merge(struct node *a, struct node *b)
{
    struct node head, *t = &head;
    while (a && b) {
        struct node **s = a->v <= b->v ? &a : &b;
        t = t->next = *s;
        *s = (*s)->next;
    }
    t->next = a ? a : b;
    return head.next;
}
static struct node *sort(struct node *l)
{
    if (!l || !l->next) return l;
    struct node *slow = l, *fast = l->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *b = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(b));
}
static void remove_if(struct node **p, int (*f)(int))
{
    while (*p)
        if (f((*p)->v)) {
            struct node *d = *p;
            *p = d->next;
            free(d);
        } else
            p = &(*p)->next;
}
static int third(int v) { return v % 3 == 0; }
static void print(struct node *l) { for (; l; l = l->next) printf("%d%s", l->v, l->next ? "->" : "\n"); }

int main(void)
{
    struct node *l = NULL;
    unsigned x = 12345;
    for (int i = 0; i < 15; i++) {
        x = x * 1103515245u + 12345u;
        l = cons(x >> 16 & 63, l);
    }
    print(l);
    l = reverse(l);
    print(l);
    l = sort(l);
    print(l);
    remove_if(&l, third);
    print(l);
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
