#include <stdio.h>

struct s { int v; };
static struct s a = { 1 }, b = { 2 };
static int calls;
static void noop(void) { calls++; }
static int f1(void) { return 10; }
static int f2(void) { return 20; }

int main(void)
{
    for (int i = 0; i < 2; i++) {
        printf("%d ", (i ? a : b).v);
        printf("%d ", (i ? &a : &b)->v);
        printf("%d ", (i ? f1 : f2)());
        printf("%g ", i ? 1 : 2.5);
        printf("%zu ", sizeof(i ? 'c' : 1L));
        printf("%s ", i ? "yes" : "no");
        printf("%c ", "01"[i]);
        printf("%d ", i ? -1 : 1u > 0);
        int *p = i ? &a.v : NULL;
        printf("%d\n", p ? *p : -1);
        i ? noop() : (void)0;
        *(i ? &a.v : &b.v) = 7;
    }
    printf("%d %d %d\n", a.v, b.v, calls);
    unsigned u = 1;
    int n = -1;
    printf("%d\n", (1 ? n : u) > 0);
    int x = 3, y = x > 2 ? x < 5 ? 50 : 60 : 70;
    printf("%d\n", y);
    const char *size = x < 1 ? "none" : x < 3 ? "few" : x < 10 ? "some" : "many";
    puts(size);
    return 0;
}
