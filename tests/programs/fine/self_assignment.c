#include <stdio.h>
#include <string.h>

struct big { int v[20]; char name[10]; };

static void copy(struct big *d, const struct big *s) { *d = *s; }

int main(void)
{
    struct big b = { { 1, 2, 3 }, "self" };
    b = b;
    copy(&b, &b);
    struct big *p = &b;
    *p = b;
    printf("%d %s\n", b.v[2], b.name);
    memmove(&b, &b, sizeof b);
    int x = 5;
    x = x;
    printf("%d\n", b.v[0]);
    struct big arr[2] = { b };
    arr[1] = arr[0] = arr[0];
    printf("%s\n", arr[1].name);
    return 0;
}
