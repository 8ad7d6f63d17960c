#include <stdio.h>

static int calls;
static int t(int id) { calls++; printf("t%d ", id); return 1; }
static int f(int id) { calls++; printf("f%d ", id); return 0; }
#define SHOW(e) do { calls = 0; int r_ = (e); printf("=> %d (%d calls)\n", r_, calls); } while (0)

int main(void)
{
    SHOW(t(1) && t(2));
    SHOW(f(1) && t(2));
    SHOW(t(1) || t(2));
    SHOW(f(1) || t(2));
    SHOW(f(1) || f(2) || f(3));
    SHOW(t(1) && f(2) || t(3));
    SHOW(t(1) || f(2) && t(3));
    SHOW((t(1) || f(2)) && f(3));
    SHOW(!t(1) || !f(2));
    SHOW(t(1) ? f(2) : t(3));
    SHOW(f(1) ?: t(2));
    SHOW(t(1) ?: t(2));
    SHOW((t(1), f(2), 7));
    int *p = NULL;
    SHOW(p && *p);
    int zero = 0;
    SHOW(zero == 0 || 10 / zero > 1);
    int i = 0;
    SHOW(i++ || i++ || i++);
    printf("%d\n", i);
    return 0;
}
