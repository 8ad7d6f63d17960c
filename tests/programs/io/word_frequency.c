#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

struct node { char *word; int count; struct node *next; };
#define BUCKETS 31
static struct node *table[BUCKETS];

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h % BUCKETS;
}
static void add(const char *w)
{
    struct node **p = &table[hash(w)];
    for (; *p; p = &(*p)->next)
        if (!strcmp((*p)->word, w)) {
            (*p)->count++;
            return;
        }
    *p = calloc(1, sizeof **p);
    (*p)->word = strdup(w);
    (*p)->count = 1;
}
static int order(const void *a, const void *b)
{
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    return y->count != x->count ? y->count - x->count : strcmp(x->word, y->word);
}
int main(void)
{
    char w[32];
    int n = 0, c;
    do {
        c = getchar();
        if (c != EOF && isalpha(c)) {
            if (n < 31) w[n++] = tolower(c);
        } else if (n) {
            w[n] = 0;
            add(w);
            n = 0;
        }
    } while (c != EOF);
    struct node *all[100];
    int k = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct node *q = table[i]; q && k < 100; q = q->next)
            all[k++] = q;
    qsort(all, k, sizeof all[0], order);
    printf("%d distinct\n", k);
    for (int i = 0; i < k; i++) {
        if (i < 8) printf("%-8s %d\n", all[i]->word, all[i]->count);
        free(all[i]->word);
        free(all[i]);
    }
    return 0;
}
