#include <stdio.h>
#include <stdbool.h>

enum state { IDLE, UP, DOWN, OPEN };
static const char *const names[] = { "idle", "up", "down", "open" };
struct lift { int floor; enum state state, dir; unsigned calls; int moved; };

static bool above(const struct lift *l) { return l->calls >> (l->floor + 1); }
static bool below(const struct lift *l) { return l->calls & ((1u << l->floor) - 1); }
static void step(struct lift *l)
{
    switch (l->state) {
    case OPEN:
        l->calls &= ~(1u << l->floor);
        l->state = IDLE;
        break;
    case UP: l->floor++; l->moved++; goto arrive;
    case DOWN: l->floor--; l->moved++;
    arrive:
        if (l->calls >> l->floor & 1) l->state = OPEN;
        break;
    case IDLE:
        if (l->calls >> l->floor & 1) l->state = OPEN;
        else if (above(l) && (l->dir == UP || !below(l))) l->state = l->dir = UP;
        else if (below(l)) l->state = l->dir = DOWN;
        break;
    }
}
int main(void)
{
    struct lift l = { .floor = 3, .state = IDLE, .dir = UP };
    int when, floor, t = 0;
    bool have = scanf("%d %d", &when, &floor) == 2;
    for (; t < 60 && (have || l.calls || l.state != IDLE); t++) {
        while (have && when <= t) {
            l.calls |= 1u << floor;
            printf("%2d: call from %d\n", t, floor);
            have = scanf("%d %d", &when, &floor) == 2;
        }
        enum state was = l.state;
        step(&l);
        if (l.state != was)
            printf("%2d: floor %d %s -> %s\n", t, l.floor, names[was], names[l.state]);
    }
    printf("done at %d, moved %d floors\n", t, l.moved);
    return l.floor;
}
