#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trie { struct trie *kid[26]; unsigned end : 1, count : 31; };

static struct trie *new_node(void) { return calloc(1, sizeof(struct trie)); }
static void add(struct trie *t, const char *w)
{
    for (; *w; w++) {
        if (!t->kid[*w - 'a']) t->kid[*w - 'a'] = new_node();
        t = t->kid[*w - 'a'];
        t->count++;
    }
    t->end = 1;
}
static int complete(struct trie *t, char *buf, int n)
{
    int found = 0;
    if (t->end) { printf("  %.*s\n", n, buf); found++; }
    for (int i = 0; i < 26; i++)
        if (t->kid[i]) {
            buf[n] = 'a' + i;
            found += complete(t->kid[i], buf, n + 1);
        }
    return found;
}
static void drop(struct trie *t)
{
    for (int i = 0; i < 26; i++)
        if (t->kid[i]) drop(t->kid[i]);
    free(t);
}
int main(void)
{
    struct trie *root = new_node();
    char w[32];
    while (scanf("%30[a-z]", w) == 1) {
        add(root, w);
        if (getchar() != ' ') break;
    }
    while (scanf("%30s", w) == 1) {
        struct trie *t = root;
        size_t i = 0;
        while (t && w[i]) t = t->kid[w[i++] - 'a'];
        printf("%s: %u\n", w, t ? t->count : 0);
        if (t) printf("  %d found\n", complete(t, w, (int)i));
    }
    drop(root);
    return 0;
}
