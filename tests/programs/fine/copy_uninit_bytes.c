#include <stdio.h>
#include <string.h>
#include <stdlib.h>

int main(void)
{
    char buf[32], copy[32];
    strcpy(buf, "short");
    memcpy(copy, buf, sizeof buf);
    puts(copy);
    int *v = malloc(8 * sizeof *v);
    if (!v)
        return 1;
    v[0] = 3;
    int w[8];
    memcpy(w, v, sizeof w);
    memmove(v, w, sizeof w);
    printf("%d\n", v[0]);
    v = realloc(v, 16 * sizeof *v);
    if (!v)
        return 1;
    printf("%d\n", v[0] + w[0]);
    free(v);
    struct { int used; char name[20]; } r[2], s;
    r[0].used = 1;
    strcpy(r[0].name, "x");
    s = r[0];
    r[1] = s;
    printf("%s\n", r[1].name);
    return 0;
}
