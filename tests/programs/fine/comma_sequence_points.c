#include <stdio.h>

static int next(void) { static int n; return ++n; }

int main(void)
{
    int i = 0;
    i++, i++;
    int a = (i++, i * 2);
    int b = i++ && i++;
    int c = i > 2 ? i++ : i--;
    printf("%d %d %d %d\n", i, a, b, c);
    int v[4] = { 0 };
    for (int j = 0, k = 3; j <= k; j++, k--)
        v[j] = k, v[k] = j;
    printf("%d%d%d%d\n", v[0], v[1], v[2], v[3]);
    int x = next();
    x += next();
    x = x * next();
    printf("%d\n", x);
    int *p = v;
    *p++ = 5;
    *p = *(p + 1) + 1;
    printf("%d %d\n", v[0], v[1]);
    return 0;
}
