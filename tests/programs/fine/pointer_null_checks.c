#include <stdio.h>
#include <stddef.h>

struct s { int a; struct { int b[4]; } in; };
static int len(const char *s) { return s ? (int)__builtin_strlen(s) : -1; }

int main(void)
{
    struct s *p = NULL;
    printf("%zu %zu\n", sizeof *p, sizeof p->in.b);
    printf("%zu\n", offsetof(struct s, in.b[2]));
    printf("%d %d\n", len(NULL), len("abc"));
    printf("%d\n", p ? p->a : 0);
    int *q = NULL, **qq = &q;
    printf("%d\n", *qq == NULL);
    printf("%d\n", q == (void *)0 && !q);
    const char *list[] = { "x", NULL };
    int n = 0;
    while (list[n])
        n++;
    printf("%d\n", n);
    return 0;
}
