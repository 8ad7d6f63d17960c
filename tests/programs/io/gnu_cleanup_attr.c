#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int depth;
static void leave(int *id) { depth--; printf("leave %d (depth %d)\n", *id, depth); }
static void free_str(char **s) { printf("free %s\n", *s); free(*s); }
#define SCOPED __attribute__((cleanup(leave))) int
#define AUTO_STR __attribute__((cleanup(free_str))) char *

static int work(int n)
{
    SCOPED outer = n;
    depth++;
    for (int i = 0; i < 3; i++) {
        SCOPED inner = n * 10 + i;
        depth++;
        if (i == n) continue;
        if (n == 2) break;
        if (n == 3) return i;
    }
    return -1;
}
int main(void)
{
    for (int i = 0; i < 4; i++)
        printf("-> %d\n", work(i));
    {
        AUTO_STR a = strdup("first");
        AUTO_STR b = strdup("second");
        a[0] = 'F';
    }
    printf("depth %d\n", depth);
    return 0;
}
