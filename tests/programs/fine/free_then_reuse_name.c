#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int v; struct node *next; };

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        *n = (struct node){ i, head };
        head = n;
    }
    int sum = 0;
    for (struct node *n = head, *next; n; n = next) {
        next = n->next;
        sum += n->v;
        free(n);
    }
    head = NULL;
    printf("%d\n", sum);
    char *p = malloc(10);
    free(p);
    p = malloc(20);
    if (!p)
        return 1;
    strcpy(p, "second life");
    puts(p);
    char *q = realloc(p, 1000);
    if (!q)
        return 1;
    q[999] = 0;
    puts(q);
    free(q);
    return 0;
}
