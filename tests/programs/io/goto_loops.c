#include <stdio.h>

static int search(int m[4][4], int key)
{
    int i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            if (m[i][j] == key)
                goto found;
    return -1;
found:
    return i * 10 + j;
}

static int cleanup(int fail_at)
{
    int rc = 0;
    if (fail_at == 1) { rc = 1; goto out; }
    puts("acquire a");
    if (fail_at == 2) { rc = 2; goto free_a; }
    puts("acquire b");
    if (fail_at == 3) { rc = 3; goto free_b; }
    puts("work");
free_b:
    puts("release b");
free_a:
    puts("release a");
out:
    return rc;
}

int main(void)
{
    int m[4][4];
    for (int i = 0; i < 16; i++)
        m[i / 4][i % 4] = i * 7 % 16;
    for (int k = 0; k < 18; k += 3)
        printf("%d at %d\n", k, search(m, k));
    for (int k = 1; k <= 4; k++)
        printf("rc %d\n", cleanup(k));
    int n = 27, steps = 0;
again:
    if (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
        goto again;
    }
    printf("collatz %d\n", steps);
    return steps;
}
