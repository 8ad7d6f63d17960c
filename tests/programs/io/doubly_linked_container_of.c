#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>

struct link { struct link *prev, *next; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define LIST_INIT(n) { &(n), &(n) }

struct task { int prio; char name[8]; struct link by_prio; struct link all; };

static void insert_before(struct link *at, struct link *n)
{
    n->prev = at->prev;
    n->next = at;
    at->prev->next = n;
    at->prev = n;
}
static void unlink_node(struct link *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->prev = n->next = n;
}
static struct link prio = LIST_INIT(prio), all = LIST_INIT(all);

static void add(int p, const char *name)
{
    struct task *t = malloc(sizeof *t);
    t->prio = p;
    snprintf(t->name, sizeof t->name, "%s", name);
    struct link *l = prio.next;
    while (l != &prio && container_of(l, struct task, by_prio)->prio >= p)
        l = l->next;
    insert_before(l, &t->by_prio);
    insert_before(&all, &t->all);
}
int main(void)
{
    int p;
    char name[32];
    while (scanf("%d %31s", &p, name) == 2)
        add(p, name);
    for (struct link *l = prio.next; l != &prio; l = l->next) {
        struct task *t = container_of(l, struct task, by_prio);
        printf("%d:%s ", t->prio, t->name);
    }
    putchar('\n');
    for (struct link *l = all.prev; l != &all; l = l->prev)
        printf("%s ", container_of(l, struct task, all)->name);
    putchar('\n');
    while (prio.next != &prio) {
        struct task *t = container_of(prio.next, struct task, by_prio);
        unlink_node(&t->by_prio);
        unlink_node(&t->all);
        free(t);
    }
    printf("%d\n", all.next == &all);
    return 0;
}
