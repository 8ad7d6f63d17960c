#include <stdio.h>

static int sum_row(const int *r, int n) { int s = 0; while (n--) s += *r++; return s; }

int main(void)
{
    int m[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = i * 4 + j;
    for (int i = 0; i < 3; i++)
        printf("%d ", sum_row(m[i], 4));
    putchar('\n');
    int *row_end = m[1] + 4;
    printf("%td %d\n", row_end - m[1], row_end == &m[2][0]);
    int (*p)[4] = m + 3;
    printf("%td %d\n", p - m, p[-1][3]);
    printf("%d\n", *(*(m + 2) + 1));
    int flat = 0;
    for (unsigned char *b = (unsigned char *)m; b < (unsigned char *)(m + 3); b++)
        flat += *b;
    printf("%d\n", flat);
    return 0;
}
