#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

enum { SIZE = 1024 };
static unsigned char *arena;
struct block { size_t size; struct block *next; };
static struct block *free_list;

static void init(void)
{
    arena = malloc(SIZE);
    if (!arena)
        exit(1);
    free_list = (struct block *)arena;
    free_list->size = SIZE - sizeof(struct block);
    free_list->next = NULL;
}
static void *get(size_t n)
{
    n = (n + 15) & ~(size_t)15;
    for (struct block **p = &free_list; *p; p = &(*p)->next) {
        struct block *b = *p;
        if (b->size < n)
            continue;
        if (b->size >= n + sizeof *b + 16) {
            struct block *rest = (struct block *)((unsigned char *)(b + 1) + n);
            rest->size = b->size - n - sizeof *b;
            rest->next = b->next;
            b->size = n;
            *p = rest;
        } else
            *p = b->next;
        return b + 1;
    }
    return NULL;
}
static void put(void *m)
{
    struct block *b = (struct block *)m - 1, **p = &free_list;
    while (*p && *p < b)
        p = &(*p)->next;
    b->next = *p;
    *p = b;
    for (struct block *q = free_list; q && q->next;)
        if ((unsigned char *)(q + 1) + q->size == (unsigned char *)q->next) {
            q->size += sizeof *q + q->next->size;
            q->next = q->next->next;
        } else
            q = q->next;
}
static void show(void)
{
    for (struct block *b = free_list; b; b = b->next)
        printf("[%td +%zu] ", (unsigned char *)b - arena, b->size);
    putchar('\n');
}
int main(void)
{
    init();
    show();
    char *a = get(100), *b = get(50), *c = get(200);
    strcpy(a, "alpha");
    strcpy(b, "beta");
    memset(c, 'c', 200);
    show();
    put(b);
    show();
    int *d = get(10 * sizeof *d);
    for (int i = 0; i < 10; i++)
        d[i] = i * i;
    show();
    printf("%s %d %c %d\n", a, d[9], c[199], get(5000) == NULL);
    put(a);
    put(d);
    show();
    put(c);
    show();
    free(arena);
    return 0;
}
