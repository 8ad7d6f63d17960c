#include <stdio.h>
#include <string.h>
#include <stdlib.h>

enum rank { HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH };
static const char *const names[] = { "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush" };
struct card { unsigned char v : 4, s : 2; };
static const char values[] = "23456789TJQKA", suits[] = "cdhs";

static int parse(const char *t, struct card *c)
{
    const char *v = strchr(values, t[0]), *s = t[0] ? strchr(suits, t[1]) : NULL;
    if (!t[0] || !t[1] || !v || !s)
        return 0;
    c->v = v - values + 2;
    c->s = s - suits;
    return 1;
}
static int by_value(const void *a, const void *b) { return ((const struct card *)b)->v - ((const struct card *)a)->v; }
static enum rank evaluate(struct card h[5])
{
    int count[16] = { 0 }, pairs = 0, trips = 0, quads = 0, flush = 1, straight = 1;
    qsort(h, 5, sizeof *h, by_value);
    for (int i = 0; i < 5; i++) {
        count[h[i].v]++;
        flush &= h[i].s == h[0].s;
        if (i)
            straight &= h[i - 1].v == h[i].v + 1 || (i == 1 && h[0].v == 14 && h[1].v == 5);
    }
    for (int i = 0; i < 16; i++) {
        pairs += count[i] == 2;
        trips += count[i] == 3;
        quads += count[i] == 4;
    }
    if (straight && flush) return STRAIGHT_FLUSH;
    if (quads) return QUADS;
    if (trips && pairs) return FULL;
    if (flush) return FLUSH;
    if (straight) return STRAIGHT;
    return trips ? TRIPS : pairs == 2 ? TWO_PAIR : pairs ? PAIR : HIGH;
}
int main(void)
{
    char t[5][4];
    while (scanf("%3s %3s %3s %3s %3s", t[0], t[1], t[2], t[3], t[4]) == 5) {
        struct card h[5];
        int ok = 1;
        for (int i = 0; i < 5; i++)
            ok &= parse(t[i], &h[i]);
        if (!ok) {
            puts("bad hand");
            continue;
        }
        enum rank r = evaluate(h);
        for (int i = 0; i < 5; i++)
            printf("%c%c ", values[h[i].v - 2], suits[h[i].s]);
        puts(names[r]);
    }
    return 0;
}
