#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, ALPHA = -3, BETA, LAST = BLUE * 2 };
typedef enum { A = 1 << 0, B = 1 << 1, C = 1 << 2, ALL = A | B | C } perm;
enum big { HUGE_ONE = 0x100000000LL, SMALL = 1 };

static const char *name(enum color c)
{
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    case ALPHA: return "alpha";
    case BETA: return "beta";
    case LAST: return "last";
    }
    return "?";
}

static void show(perm p)
{
    printf("%c%c%c\n", p & A ? 'a' : '-', p & B ? 'b' : '-', p & C ? 'c' : '-');
}

int main(void)
{
    for (int i = -4; i <= 12; i++)
        printf("%d %s\n", i, name(i));
    perm p = 0;
    show(p);
    p |= A; show(p);
    p |= C; show(p);
    p ^= ALL; show(p);
    p = ALL & ~p; show(p);
    printf("%zu %zu\n", sizeof(enum color), sizeof(enum big));
    enum big x = HUGE_ONE;
    x += SMALL;
    printf("%lld\n", (long long)x);
    enum { LOCAL = LAST + 1 } y = LOCAL;
    return y;
}
