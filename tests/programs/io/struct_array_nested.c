#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct shape { char kind; int n; struct point pts[4]; struct { struct point min, max; } box; };

static struct shape bound(struct shape s)
{
    s.box.min = s.box.max = s.pts[0];
    for (int i = 1; i < s.n; i++) {
        struct point p = s.pts[i];
        if (p.x < s.box.min.x) s.box.min.x = p.x;
        if (p.y < s.box.min.y) s.box.min.y = p.y;
        if (p.x > s.box.max.x) s.box.max.x = p.x;
        if (p.y > s.box.max.y) s.box.max.y = p.y;
    }
    return s;
}
static int area2(const struct shape *s)
{
    int a = 0;
    for (int i = 0; i < s->n; i++) {
        const struct point *p = &s->pts[i], *q = &s->pts[(i + 1) % s->n];
        a += p->x * q->y - q->x * p->y;
    }
    return a < 0 ? -a : a;
}

int main(void)
{
    struct shape all[3] = {
        { 't', 3, { { 0, 0 }, { 4, 0 }, { 0, 3 } } },
        { .kind = 'q', .n = 4, .pts = { [3] = { -1, 5 }, [0] = { -1, -1 }, { 6, -1 }, { 6, 5 } } },
        { 'p', 1, { { 9, 9 } } },
    };
    for (int i = 0; i < 3; i++) {
        all[i] = bound(all[i]);
        printf("%c n=%d area2=%d box (%d,%d)-(%d,%d)\n", all[i].kind, all[i].n, area2(&all[i]),
               all[i].box.min.x, all[i].box.min.y, all[i].box.max.x, all[i].box.max.y);
    }
    struct shape t = all[0];
    all[0] = all[2];
    all[2] = t;
    t.pts[1].x = 99;
    printf("%c %c %d %d\n", all[0].kind, all[2].kind, all[2].pts[1].x, t.pts[1].x);
    printf("%d %zu\n", bound(t).box.max.x, sizeof all);
    return 0;
}
