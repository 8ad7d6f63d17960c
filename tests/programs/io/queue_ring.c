#include <stdio.h>
#include <stdbool.h>

#define CAP 8
struct ring { int buf[CAP]; unsigned head, tail; };

static bool full(const struct ring *r) { return r->tail - r->head == CAP; }
static bool empty(const struct ring *r) { return r->tail == r->head; }
static bool put(struct ring *r, int v)
{
    if (full(r)) return false;
    r->buf[r->tail++ % CAP] = v;
    return true;
}
static bool get(struct ring *r, int *v)
{
    if (empty(r)) return false;
    *v = r->buf[r->head++ % CAP];
    return true;
}
int main(void)
{
    struct ring r = { .head = 4294967290u, .tail = 4294967290u };
    int clock = 0, dropped = 0, served = 0, wait = 0, v;
    unsigned seed = 3;
    for (; clock < 60; clock++) {
        seed = seed * 75 + 74;
        if (seed % 65537 % 3 != 0 && !put(&r, clock))
            dropped++;
        if (clock % 2 && get(&r, &v)) {
            served++;
            wait += clock - v;
        }
        if (clock % 12 == 0)
            printf("t%d backlog %u\n", clock, r.tail - r.head);
    }
    while (get(&r, &v))
        printf("left %d\n", v);
    printf("served %d dropped %d wait %d\n", served, dropped, wait);
    return 0;
}
