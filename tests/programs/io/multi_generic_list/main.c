#include <stdio.h>
#include <string.h>
#include "list.h"

struct city { char name[12]; int pop; };
static int cmp_int(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }
static int cmp_city(const void *a, const void *b) { return ((struct city *)b)->pop - ((struct city *)a)->pop; }
static void show_int(void *v, void *ctx) { printf("%d%s", *(int *)v, (char *)ctx); }
static void show_city(void *v, void *ctx) { struct city *c = v; printf("%s(%d) ", c->name, c->pop); (void)ctx; }
static void add_pop(void *v, void *ctx) { *(long *)ctx += ((struct city *)v)->pop; }

int main(void)
{
    struct list *l = list_new(sizeof(int));
    for (int i = 0; i < 10; i++)
        list_add(l, &(int){ i * 7 % 10 });
    list_each(l, show_int, " ");
    list_sort(l, cmp_int);
    puts("");
    list_each(l, show_int, ",");
    printf("\n%d\n", *(int *)list_at(l, 4));
    list_free(l);
    l = list_new(sizeof(struct city));
    struct city c;
    while (scanf("%11s %d", c.name, &c.pop) == 2)
        list_add(l, &c);
    list_sort(l, cmp_city);
    list_each(l, show_city, NULL);
    long total = 0;
    list_each(l, add_pop, &total);
    printf("\n%ld\n", total);
    list_free(l);
    return 0;
}
