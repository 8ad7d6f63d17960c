#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct person person;
struct person { char name[20]; long phone; person *kid[2]; };

static person **locate(person **p, const char *name)
{
    int c;
    while (*p && (c = strcmp(name, (*p)->name)))
        p = &(*p)->kid[c > 0];
    return p;
}
static void erase(person **p)
{
    person *d = *p;
    if (!d->kid[0]) *p = d->kid[1];
    else if (!d->kid[1]) *p = d->kid[0];
    else {
        person **q = &d->kid[1];
        while ((*q)->kid[0]) q = &(*q)->kid[0];
        person *s = *q;
        *q = s->kid[1];
        s->kid[0] = d->kid[0];
        s->kid[1] = d->kid[1];
        *p = s;
    }
    free(d);
}
static void list(const person *p, int depth)
{
    if (!p) return;
    list(p->kid[0], depth + 1);
    printf("%*s%s %ld\n", depth, "", p->name, p->phone);
    list(p->kid[1], depth + 1);
}
int main(void)
{
    person *root = NULL;
    char op, name[20];
    long ph;
    while (scanf(" %c", &op) == 1)
        switch (op) {
        case '+':
            if (scanf("%19s %ld", name, &ph) == 2) {
                person **p = locate(&root, name);
                if (!*p) { *p = calloc(1, sizeof **p); strcpy((*p)->name, name); }
                (*p)->phone = ph;
            }
            break;
        case '-': case '?':
            if (scanf("%19s", name) == 1) {
                person **p = locate(&root, name);
                if (!*p) printf("%s unknown\n", name);
                else if (op == '?') printf("%s: %ld\n", name, (*p)->phone);
                else erase(p);
            }
            break;
        case '=': list(root, 0); break;
        }
    while (root) erase(&root);
    return 0;
}
