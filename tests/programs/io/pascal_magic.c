#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned **tri = malloc(12 * sizeof *tri);
    for (int i = 0; i < 12; i++) {
        tri[i] = malloc((i + 1) * sizeof **tri);
        tri[i][0] = tri[i][i] = 1;
        for (int j = 1; j < i; j++)
            tri[i][j] = tri[i - 1][j - 1] + tri[i - 1][j];
    }
    for (int i = 0; i < 8; i++) {
        printf("%*s", (8 - i) * 2, "");
        for (int j = 0; j <= i; j++)
            printf("%4u", tri[i][j]);
        putchar('\n');
    }
    unsigned catalan = tri[11][5] / 6;
    printf("%u %u\n", tri[11][5], catalan);
    for (int i = 0; i < 12; i++)
        free(tri[i]);
    free(tri);
    enum { N = 5 };
    int sq[N][N] = { { 0 } }, r = 0, c = N / 2;
    for (int k = 1; k <= N * N; k++) {
        sq[r][c] = k;
        int nr = (r + N - 1) % N, nc = (c + 1) % N;
        if (sq[nr][nc]) r = (r + 1) % N;
        else r = nr, c = nc;
    }
    int ok = 1;
    for (int i = 0; i < N; i++) {
        int row = 0, col = 0;
        for (int j = 0; j < N; j++) {
            row += sq[i][j];
            col += sq[j][i];
            printf("%3d", sq[i][j]);
        }
        putchar('\n');
        ok &= row == 65 && col == 65;
    }
    return !ok;
}
