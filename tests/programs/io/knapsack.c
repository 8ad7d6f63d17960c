#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct item { char name[12]; int w, v; };

int main(void)
{
    int cap, n = 0;
    struct item it[16];
    if (scanf("%d", &cap) != 1) return 1;
    while (n < 16 && scanf("%11s %d %d", it[n].name, &it[n].w, &it[n].v) == 3)
        n++;
    int (*best)[cap + 1] = calloc(n + 1, sizeof *best);
    if (!best) return 2;
    for (int i = 1; i <= n; i++)
        for (int c = 0; c <= cap; c++) {
            best[i][c] = best[i - 1][c];
            if (it[i - 1].w <= c && best[i - 1][c - it[i - 1].w] + it[i - 1].v > best[i][c])
                best[i][c] = best[i - 1][c - it[i - 1].w] + it[i - 1].v;
        }
    printf("best %d:", best[n][cap]);
    for (int i = n, c = cap; i > 0; i--)
        if (best[i][c] != best[i - 1][c]) {
            printf(" %s", it[i - 1].name);
            c -= it[i - 1].w;
        }
    putchar('\n');
    int ways[101] = { 1 }, coins[] = { 1, 5, 10, 25, 50 };
    for (int k = 0; k < 5; k++)
        for (int a = coins[k]; a <= 100; a++)
            ways[a] += ways[a - coins[k]];
    printf("ways %d %d\n", ways[50], ways[100]);
    free(best);
    return 0;
}
