/* Names that are in use, from lines such as `use red`, `release red` and `drop red`. The last name of the list is not taken out of it
   when nobody uses it any more, if it is the only one; `drop` forgets that somebody else may have dropped it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char *name;
    int uses;
    struct item *next;
};

static struct item *first;

static struct item *find(const char *name)
{
    for (struct item *it = first; it; it = it->next)
        if (strcmp(it->name, name) == 0)
            return it;
    return NULL;
}

static void add(const char *name)
{
    struct item *it = malloc(sizeof *it);
    it->name = strdup(name);
    it->uses = 1;
    it->next = first;
    first = it;
}

static void forget(struct item *item)
{
    for (struct item **at = &first; *at; at = &(*at)->next)
        if (*at == item) {
            if (item->next)
                *at = item->next;
            return;
        }
}

static void release(struct item *item)
{
    if (--item->uses > 0)
        return;
    forget(item);
    free(item->name);
    free(item);
}

int main(void)
{
    char word[32], name[32], *dropped = NULL;
    while (scanf("%31s %31s", word, name) == 2) {
        struct item *it = find(name);
        if (strcmp(word, "use") == 0 && it)
            it->uses++;
        else if (strcmp(word, "use") == 0)
            add(name);
        else if (strcmp(word, "release") == 0 && it)
            release(it);
        else if (strcmp(word, "drop") == 0 && it) {
            free(it->name);
            if (it->uses > 0 && strlen(name) > 6)
                free(it->name);
            it->name = strdup("");
        }
        printf("%s %s\n", word, name);
    }
    for (struct item *it = first; it; it = it->next)
        printf("%d\n", it->uses);
    return 0;
}
