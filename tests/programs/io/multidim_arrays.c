#include <stdio.h>
#include <string.h>

static int cube[3][4][5];
static int trace(int (*m)[4], int n) { int t = 0; for (int i = 0; i < n; i++) t += m[i][i]; return t; }
static void mul(const int a[2][3], const int b[3][2], int r[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            r[i][j] = 0;
            for (int k = 0; k < 3; k++)
                r[i][j] += a[i][k] * b[k][j];
        }
}
int main(void)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                cube[i][j][k] = 100 * i + 10 * j + k;
    printf("%d %d %zu %zu %zu\n", cube[2][3][4], *(*(*(cube + 1) + 2) + 3), sizeof cube, sizeof *cube, sizeof **cube);
    int (*plane)[5] = cube[1];
    printf("%d %d\n", plane[3][1], (*plane)[4]);
    int m[4][4] = { { 1, 2 }, { 3, 4, 5 }, [3] = { [3] = 9 } };
    printf("%d\n", trace(m, 4));
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %d\n", m[i][0], m[i][1], m[i][2], m[i][3]);
    int r[2][2];
    mul((const int[2][3]){ { 1, 2, 3 }, { 4, 5, 6 } }, (const int[3][2]){ { 1, 0 }, { 0, 1 }, { 2, 2 } }, r);
    printf("%d %d %d %d\n", r[0][0], r[0][1], r[1][0], r[1][1]);
    char grid[3][6] = { "hello", "abc", "" };
    grid[2][0] = '!';
    for (int i = 0; i < 3; i++)
        printf("%s %zu\n", grid[i], strlen(grid[i]));
    memcpy(cube[0], cube[2], sizeof cube[0]);
    printf("%d\n", cube[0][3][4]);
    return 0;
}
