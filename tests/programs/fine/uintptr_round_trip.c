#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int a[4] = { 1, 2, 3, 4 };
    uintptr_t u = (uintptr_t)&a[1];
    int *p = (int *)u;
    printf("%d %d\n", *p, p == &a[1]);
    u += 2 * sizeof(int);
    printf("%d\n", *(int *)u);
    printf("%d\n", (int)(((uintptr_t)&a[3] - (uintptr_t)&a[0]) / sizeof(int)));
    intptr_t saved[2] = { (intptr_t)a, (intptr_t)NULL };
    printf("%d %d\n", *(int *)saved[0], (void *)saved[1] == NULL);
    char *m = malloc(100);
    if (!m)
        return 1;
    char *al = (char *)(((uintptr_t)m + 31) & ~(uintptr_t)31);
    *al = 'x';
    printf("%d %c\n", (uintptr_t)al % 32 == 0, *al);
    free(m);
    uintptr_t x = (uintptr_t)&a[0] ^ 0x5555, y = x ^ 0x5555;
    printf("%d\n", *(int *)y);
    return 0;
}
