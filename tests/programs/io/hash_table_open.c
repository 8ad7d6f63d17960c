#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

struct slot { char *key; int val; };
struct map { struct slot *s; size_t cap, used; };
static char tombstone[1];

static uint64_t fnv(const char *k)
{
    uint64_t h = 14695981039346656037ULL;
    for (; *k; k++)
        h = (h ^ (unsigned char)*k) * 1099511628211ULL;
    return h;
}
static struct slot *probe(struct map *m, const char *k)
{
    struct slot *grave = NULL;
    for (size_t i = fnv(k) & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        struct slot *s = &m->s[i];
        if (!s->key) return grave ? grave : s;
        if (s->key == tombstone) { if (!grave) grave = s; }
        else if (!strcmp(s->key, k)) return s;
    }
}
static void set(struct map *m, const char *k, int v)
{
    if ((m->used + 1) * 4 > m->cap * 3) {
        struct map n = { calloc(m->cap * 2, sizeof *n.s), m->cap * 2, 0 };
        for (size_t i = 0; i < m->cap; i++)
            if (m->s[i].key && m->s[i].key != tombstone) {
                *probe(&n, m->s[i].key) = m->s[i];
                n.used++;
            }
        free(m->s);
        *m = n;
    }
    struct slot *s = probe(m, k);
    if (!s->key || s->key == tombstone) {
        if (!s->key) m->used++;
        s->key = strdup(k);
    }
    s->val = v;
}
static int del(struct map *m, const char *k)
{
    struct slot *s = probe(m, k);
    if (!s->key || s->key == tombstone) return 0;
    free(s->key);
    s->key = tombstone;
    return 1;
}
int main(void)
{
    struct map m = { calloc(4, sizeof *m.s), 4, 0 };
    char k[16];
    for (int i = 0; i < 100; i++) {
        sprintf(k, "key%d", i * 7 % 100);
        set(&m, k, i);
    }
    int removed = 0;
    for (int i = 0; i < 100; i += 3) {
        sprintf(k, "key%d", i);
        removed += del(&m, k);
    }
    removed += del(&m, "absent");
    set(&m, "key3", 333);
    long sum = 0;
    int live = 0;
    for (size_t i = 0; i < m.cap; i++)
        if (m.s[i].key && m.s[i].key != tombstone) {
            live++;
            sum += m.s[i].val;
            free(m.s[i].key);
        }
    printf("cap %zu live %d removed %d sum %ld\n", m.cap, live, removed, sum);
    printf("%llx\n", (unsigned long long)fnv("faultline"));
    free(m.s);
    return 0;
}
