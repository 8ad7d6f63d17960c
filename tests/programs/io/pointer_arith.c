#include <stdio.h>

static int sum(const int *p, const int *end)
{
    int s = 0;
    while (p != end)
        s += *p++;
    return s;
}
static void reverse(int *lo, int *hi)
{
    while (lo < --hi) {
        int t = *lo;
        *lo++ = *hi;
        *hi = t;
    }
}
int main(void)
{
    int a[10];
    for (int *p = a; p < a + 10; p++)
        *p = (int)(p - a) * (int)(p - a);
    printf("%d %d\n", sum(a, a + 10), sum(a + 3, &a[7]));
    reverse(a, a + 10);
    for (int i = 0; i < 10; i++)
        printf("%d ", *(a + i));
    putchar('\n');
    int *mid = &a[5];
    printf("%d %d %d\n", mid[-2], mid[0], *(mid + 3));
    printf("%td %td\n", &a[9] - mid, a - mid);
    printf("%d %d %d\n", mid > a, mid == &5[a], mid >= a + 9);
    int **pp = &mid;
    *pp -= 2;
    **pp = 1000;
    printf("%d %d\n", a[3], *mid);
    char *c = (char *)a;
    c += sizeof(int) * 4;
    printf("%d\n", *(int *)c);
    const char *names[] = { "zero", "one", "two", NULL };
    for (const char **n = names; *n; n++)
        printf("%c%s ", **n, *n + 1);
    putchar('\n');
    void *v = mid;
    v += 4;
    printf("%d\n", *(int *)v);
    return 0;
}
