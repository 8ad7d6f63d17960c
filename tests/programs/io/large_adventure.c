/* A tiny text adventure with rooms, items and a parser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <ctype.h>

enum dir { NORTH, EAST, SOUTH, WEST, NDIR };
enum room_id { NOWHERE, HALL, KITCHEN, CELLAR, GARDEN, VAULT, NROOM, CARRIED };
enum item_id { LAMP, KEY, BREAD, COIN, NITEM };

static const char *const dir_name[NDIR] = { "north", "east", "south", "west" };

struct room {
    const char *name, *text;
    enum room_id exit[NDIR];
    bool dark : 1, seen : 1, locked : 1;
};
static struct room rooms[NROOM] = {
    [HALL] = { "Hall", "A draughty hall.", { GARDEN, KITCHEN, NOWHERE, NOWHERE } },
    [KITCHEN] = { .name = "Kitchen", .text = "It smells of soup.", .exit = { [WEST] = HALL, [SOUTH] = CELLAR } },
    [CELLAR] = { "Cellar", "Cobwebs everywhere.", { [NORTH] = KITCHEN, [EAST] = VAULT }, .dark = true },
    [GARDEN] = { "Garden", "Roses and nettles.", { [SOUTH] = HALL } },
    [VAULT] = { "Vault", "Steel walls gleam.", { [WEST] = CELLAR }, .locked = true },
};
struct item { const char *name; enum room_id at; int weight, value; };
static struct item items[NITEM] = {
    [LAMP] = { "lamp", HALL, 3, 1 }, [KEY] = { "key", GARDEN, 1, 0 },
    [BREAD] = { "bread", KITCHEN, 2, 2 }, [COIN] = { "coin", VAULT, 1, 50 },
};

static struct { enum room_id at; int turns, score; bool lit, done; } g = { .at = HALL };

static bool visible(void)
{
    return !rooms[g.at].dark || (g.lit && (items[LAMP].at == CARRIED || items[LAMP].at == g.at));
}
static int load(void)
{
    int w = 0;
    for (int i = 0; i < NITEM; i++)
        if (items[i].at == CARRIED)
            w += items[i].weight;
    return w;
}
static struct item *item_named(const char *n)
{
    for (struct item *it = items; it < items + NITEM; it++)
        if (n && !strcmp(it->name, n))
            return it;
    return NULL;
}
static void look(const char *arg)
{
    (void)arg;
    struct room *r = &rooms[g.at];
    if (!visible()) {
        puts("It is pitch dark.");
        return;
    }
    printf("[%s] %s\n", r->name, r->text);
    r->seen = true;
    const char *sep = "You see: ";
    for (int i = 0; i < NITEM; i++)
        if (items[i].at == g.at) {
            printf("%s%s", sep, items[i].name);
            sep = ", ";
        }
    if (sep[0] == ',')
        puts(".");
    sep = "Exits: ";
    for (int d = 0; d < NDIR; d++)
        if (r->exit[d]) {
            printf("%s%s%s", sep, dir_name[d], rooms[r->exit[d]].seen ? "" : "?");
            sep = " ";
        }
    putchar('\n');
}
static void go(const char *arg)
{
    for (int d = 0; arg && d < NDIR; d++)
        if (!strncmp(dir_name[d], arg, strlen(arg))) {
            enum room_id to = rooms[g.at].exit[d];
            if (to == NOWHERE)
                puts("You bump into a wall.");
            else if (rooms[to].locked)
                printf("The %s is locked.\n", rooms[to].name);
            else {
                g.at = to;
                look(NULL);
            }
            return;
        }
    puts("Go where?");
}
static void take(const char *arg)
{
    struct item *it = item_named(arg);
    if (!visible())
        puts("You fumble in the dark.");
    else if (!it || it->at != g.at)
        puts("No such thing here.");
    else if (load() + it->weight > 5)
        puts("Too heavy.");
    else {
        it->at = CARRIED;
        g.score += it->value;
        printf("Taken: %s.\n", it->name);
        if (it == &items[COIN]) {
            puts("You win!");
            g.done = true;
        }
    }
}
static void put_down(const char *arg)
{
    struct item *it = item_named(arg);
    if (!it || it->at != CARRIED)
        puts("You do not have that.");
    else {
        it->at = g.at;
        g.score -= it->value;
        puts("Dropped.");
    }
}
static void use(const char *arg)
{
    struct item *it = item_named(arg);
    if (!it || it->at != CARRIED) {
        puts("You do not have that.");
        return;
    }
    switch (it - items) {
    case LAMP:
        g.lit = !g.lit;
        printf("The lamp is %s.\n", g.lit ? "on" : "off");
        break;
    case KEY:
        for (int d = 0; d < NDIR; d++) {
            struct room *r = &rooms[rooms[g.at].exit[d]];
            if (rooms[g.at].exit[d] && r->locked) {
                r->locked = false;
                printf("You unlock the %s.\n", r->name);
                return;
            }
        }
        puts("Nothing to unlock.");
        break;
    case BREAD:
        it->at = NOWHERE;
        puts("Tasty.");
        break;
    default:
        puts("Nothing happens.");
    }
}
static void inventory(const char *arg)
{
    (void)arg;
    printf("Carrying (%d/5):", load());
    for (int i = 0; i < NITEM; i++)
        if (items[i].at == CARRIED)
            printf(" %s", items[i].name);
    putchar('\n');
}
static void quit(const char *arg) { (void)arg; g.done = true; }

static const struct { const char *verb; void (*act)(const char *); bool turn; } verbs[] = {
    { "look", look, false }, { "go", go, true }, { "take", take, true }, { "get", take, true },
    { "drop", put_down, true }, { "use", use, true }, { "inventory", inventory, false }, { "quit", quit, false },
};
int main(void)
{
    char line[80];
    look(NULL);
    while (!g.done && fgets(line, sizeof line, stdin)) {
        for (char *p = line; *p; p++)
            *p = tolower((unsigned char)*p);
        char *save, *verb = strtok_r(line, " \n", &save), *arg = strtok_r(NULL, " \n", &save);
        if (!verb)
            continue;
        printf("> %s%s%s\n", verb, arg ? " " : "", arg ? arg : "");
        size_t i, n = sizeof verbs / sizeof verbs[0];
        for (i = 0; i < n; i++)
            if (!strncmp(verbs[i].verb, verb, strlen(verb)))
                break;
        if (i == n) {
            puts("I do not understand.");
            continue;
        }
        verbs[i].act(arg);
        g.turns += verbs[i].turn;
    }
    printf("Score %d in %d turns.\n", g.score, g.turns);
    return g.score;
}
