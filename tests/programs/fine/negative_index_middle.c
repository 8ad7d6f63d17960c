#include <stdio.h>

static int table[201];
static int *const centre = &table[100];

int main(void)
{
    for (int i = -100; i <= 100; i++)
        centre[i] = i * i;
    printf("%d %d %d\n", centre[-100], centre[0], centre[100]);
    int a[6] = { 0, 1, 2, 3, 4, 5 }, *p = a + 6;
    printf("%d %d\n", p[-1], p[-6]);
    p -= 3;
    printf("%d %d\n", p[-3], p[2]);
    int k = -2;
    printf("%d %d\n", *(p + k), k[p]);
    const char *s = "0123456789" + 5;
    printf("%c%c\n", s[-5], s[4]);
    return 0;
}
