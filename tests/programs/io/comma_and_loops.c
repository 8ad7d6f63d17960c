#include <stdio.h>

int main(void)
{
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 2)
        printf("(%d,%d) ", i, j);
    putchar('\n');
    i = 0;
    do
        if (i % 2)
            continue;
        else
            printf("%d ", i);
    while (++i < 9);
    putchar('\n');
    while (i-- > 0) {
        if (i == 6) continue;
        if (i == 2) break;
        printf("%d ", i);
    }
    putchar('\n');
    for (;;) {
        if (++i > 5)
            break;
    }
    int x = (i = 3, i + 2);
    printf("%d %d\n", i, x);
    for (int k = 0, s = 0; s < 30; s += ++k)
        printf("%d ", s);
    putchar('\n');
    for (unsigned u = 5; u-- > 0;)
        printf("%u", u);
    putchar('\n');
    for (char c = 'a'; c <= 'z'; c += 5)
        putchar(c);
    putchar('\n');
    for (double d = 0; d < 1; d += 0.25)
        printf("%.2f ", d);
    putchar('\n');
    int a[3] = { (1, 2), (3, 4), (5, 6) };
    printf("%d %d %d\n", a[0], a[1], a[2]);
    return 0;
}
