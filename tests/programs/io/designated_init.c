#include <stdio.h>

struct inner { int a, b; char s[4]; };
struct outer { struct inner in[3]; int tail; double d[2]; struct inner *ptr; };

static struct inner shared = { 77, .s = "sh" };
static struct outer g = {
    .in[1].b = 5,
    .in[2] = { .s = "xyz", .a = 1 },
    .d = { [1] = 2.5 },
    .ptr = &shared,
    .tail = sizeof(struct inner),
};
static const int sparse[] = { [5] = 50, 60, [2] = 20, 30, [9] = 90 };
static const int ranged[10] = { [0 ... 4] = 1, [5 ... 8] = 2, [3] = 7 };
static char *words[] = { [2] = "two", [0] = "zero" };
static char text[] = { 'a', 'b', [4] = 'e', 0 };
static int grid[][3] = { { 1 }, { 2, 3 }, [3] = { [2] = 9 } };

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d %d %.3s|", g.in[i].a, g.in[i].b, g.in[i].s);
    printf("%d %g %g %d %s\n", g.tail, g.d[0], g.d[1], g.ptr->a, g.ptr->s);
    for (size_t i = 0; i < sizeof sparse / sizeof *sparse; i++)
        printf("%d ", sparse[i]);
    putchar('\n');
    for (int i = 0; i < 10; i++)
        printf("%d ", ranged[i]);
    putchar('\n');
    printf("%zu %s %d %s\n", sizeof words / sizeof *words, words[0], words[1] == NULL, words[2]);
    printf("%zu %c %d %c\n", sizeof text, text[1], text[2], text[4]);
    printf("%zu %d %d %d\n", sizeof grid / sizeof *grid, grid[1][1], grid[2][0], grid[3][2]);
    int n = 4;
    struct outer l = { .in = { [0] = { n, n + 1, "q" }, { .b = n * 2 } }, .tail = n ? -1 : 1 };
    printf("%d %d %s %d %d %d\n", l.in[0].a, l.in[0].b, l.in[0].s, l.in[1].b, l.tail, l.ptr == NULL);
    struct inner *p = &(struct inner){ .b = 3, .s = { 'h', 'i' } };
    p->a += 10;
    printf("%d %d %s\n", p->a, p->b, p->s);
    struct inner over = { .a = 1, .a = 2, .b = 3 };
    printf("%d %d\n", over.a, over.b);
    return 0;
}
