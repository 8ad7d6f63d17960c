#include <stdio.h>

static int sum(const int *b, const int *e) { int s = 0; while (b != e) s += *b++; return s; }

int main(void)
{
    int a[5] = { 1, 2, 3, 4, 5 };
    int *end = a + 5, *also = &a[5], *whole = (int *)(&a + 1);
    printf("%d %d\n", end == also, end == whole);
    printf("%td %d\n", end - a, sum(a, end));
    printf("%d\n", sum(end, end));
    int x = 7, *px = &x;
    printf("%d\n", sum(px, px + 1));
    for (int *p = end; p != a;)
        printf("%d ", *--p);
    putchar('\n');
    printf("%d\n", end[-1]);
    return 0;
}
