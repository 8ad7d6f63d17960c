#include <stdio.h>
#include <stdlib.h>

struct job { int prio; const char *name; };
struct heap { struct job v[32]; int n; };

static void push(struct heap *h, struct job j)
{
    int i = h->n++;
    while (i && h->v[(i - 1) / 2].prio > j.prio) {
        h->v[i] = h->v[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->v[i] = j;
}
static struct job pop(struct heap *h)
{
    struct job top = h->v[0], last = h->v[--h->n];
    int i = 0, c;
    while ((c = 2 * i + 1) < h->n) {
        if (c + 1 < h->n && h->v[c + 1].prio < h->v[c].prio) c++;
        if (last.prio <= h->v[c].prio) break;
        h->v[i] = h->v[c];
        i = c;
    }
    h->v[i] = last;
    return top;
}
int main(void)
{
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };
    struct heap h = { .n = 0 };
    for (int i = 0; i < 10; i++)
        push(&h, (struct job){ (i * 7 + 3) % 11, names[i] });
    while (h.n) {
        struct job j = pop(&h);
        printf("%d%s ", j.prio, j.name);
        if (j.prio == 4)
            push(&h, (struct job){ 5, "late" });
    }
    putchar('\n');
    return 0;
}
