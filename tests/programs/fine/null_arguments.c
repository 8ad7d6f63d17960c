#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    free(NULL);
    int *p = realloc(NULL, 4 * sizeof *p);
    if (!p)
        return 1;
    p[3] = 4;
    p = realloc(p, 8 * sizeof *p);
    if (!p)
        return 1;
    printf("%d\n", p[3]);
    free(p);
    p = NULL;
    free(p);
    char a[4] = "abc", *end = a + 4;
    memcpy(a, a + 2, 0);
    memset(end, 'x', 0);
    memmove(end, end, 0);
    printf("%s %d\n", a, memcmp(a, "zzz", 0));
    printf("%d\n", snprintf(NULL, 0, "%d", 12345));
    printf("%ld\n", strtol("77", NULL, 8));
    printf("%d\n", strncmp(a, "abd", 0));
    return 0;
}
