#include <stdio.h>
#include <stddef.h>

struct event {
    int type;
    union {
        struct { int x, y; };
        struct { char key; unsigned mods : 3; unsigned repeat : 1; };
        struct { struct { short w, h; } size; double scale; };
    };
    struct { long when; };
};
struct nested { struct { struct { int deep; }; int mid; }; int top; };

static void handle(const struct event *e)
{
    switch (e->type) {
    case 0: printf("move %d,%d @%ld\n", e->x, e->y, e->when); break;
    case 1: printf("key %c mods %u rep %u @%ld\n", e->key, e->mods, e->repeat, e->when); break;
    case 2: printf("size %dx%d*%g @%ld\n", e->size.w, e->size.h, e->scale, e->when); break;
    }
}
int main(void)
{
    struct event ev[] = {
        { 0, { { 10, -20 } }, { 100 } },
        { .type = 1, .key = 'q', .mods = 5, .repeat = 1, .when = 101 },
        { 2, .size = { 640, 480 }, .scale = 1.25, .when = 102 },
    };
    for (int i = 0; i < 3; i++)
        handle(&ev[i]);
    struct event copy = ev[1];
    copy.mods += 4;
    copy.key++;
    handle(&copy);
    struct nested n = { { { 1 }, 2 }, 3 };
    n.deep += n.mid * n.top;
    printf("%d %zu %zu\n", n.deep, offsetof(struct nested, mid), offsetof(struct nested, top));
    printf("%zu %zu\n", sizeof(struct event), offsetof(struct event, when));
    return 0;
}
