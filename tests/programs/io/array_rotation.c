#include <stdio.h>
#include <string.h>

static void reverse(int *a, int n) { for (int i = 0; i < n / 2; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; } }
static void rotate(int *a, int n, int k)
{
    if (n == 0)
        return;
    k = ((k % n) + n) % n;
    reverse(a, k);
    reverse(a + k, n - k);
    reverse(a, n);
}
static void spiral(int n, int m[n][n])
{
    int top = 0, left = 0, bottom = n - 1, right = n - 1, v = 1;
    while (top <= bottom && left <= right) {
        for (int i = left; i <= right; i++) m[top][i] = v++;
        top++;
        for (int i = top; i <= bottom; i++) m[i][right] = v++;
        right--;
        for (int i = right; top <= bottom && i >= left; i--) m[bottom][i] = v++;
        bottom--;
        for (int i = bottom; left <= right && i >= top; i--) m[i][left] = v++;
        left++;
    }
}
int main(void)
{
    int k;
    while (scanf("%d", &k) == 1) {
        int a[7] = { 1, 2, 3, 4, 5, 6, 7 };
        rotate(a, 7, k);
        for (int i = 0; i < 7; i++)
            printf("%d ", a[i]);
        printf("by %d\n", k);
    }
    int m[5][5];
    spiral(5, m);
    for (int i = 0; i < 5; i++, puts(""))
        for (int j = 0; j < 5; j++)
            printf("%3d", m[i][j]);
    int s[1][1];
    spiral(1, s);
    printf("%d\n", s[0][0]);
    return 0;
}
