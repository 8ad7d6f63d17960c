/* A least-recently-used cache with a hash index, driven by a trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *older, *newer;
    struct entry *chain;
    char *key;
    long value;
    unsigned hits;
};

struct cache {
    size_t capacity, count, nbuckets;
    struct entry **bucket;
    struct entry *oldest, *newest;
    struct { unsigned long get, hit, put, evict; } stats;
    void (*on_evict)(const struct entry *, void *);
    void *ctx;
};

static unsigned hash(const char *s)
{
    unsigned h = 0;
    for (; *s; s++) {
        h += (unsigned char)*s;
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
}
static int cache_init(struct cache *c, size_t capacity)
{
    memset(c, 0, sizeof *c);
    c->capacity = capacity;
    c->nbuckets = capacity * 2 + 1;
    c->bucket = calloc(c->nbuckets, sizeof *c->bucket);
    return c->bucket ? 0 : -1;
}
static struct entry **slot(struct cache *c, const char *key)
{
    struct entry **p = &c->bucket[hash(key) % c->nbuckets];
    while (*p && strcmp((*p)->key, key))
        p = &(*p)->chain;
    return p;
}
static void detach(struct cache *c, struct entry *e)
{
    if (e->older) e->older->newer = e->newer;
    else c->oldest = e->newer;
    if (e->newer) e->newer->older = e->older;
    else c->newest = e->older;
    e->older = e->newer = NULL;
}
static void attach_newest(struct cache *c, struct entry *e)
{
    e->older = c->newest;
    e->newer = NULL;
    if (c->newest) c->newest->newer = e;
    else c->oldest = e;
    c->newest = e;
}
static void drop(struct cache *c, struct entry *e)
{
    struct entry **p = slot(c, e->key);
    *p = e->chain;
    detach(c, e);
    c->count--;
    free(e->key);
    free(e);
}
static int cache_get(struct cache *c, const char *key, long *out)
{
    c->stats.get++;
    struct entry *e = *slot(c, key);
    if (!e)
        return 0;
    c->stats.hit++;
    e->hits++;
    detach(c, e);
    attach_newest(c, e);
    *out = e->value;
    return 1;
}
static void cache_put(struct cache *c, const char *key, long value)
{
    c->stats.put++;
    struct entry **p = slot(c, key);
    if (*p) {
        (*p)->value = value;
        detach(c, *p);
        attach_newest(c, *p);
        return;
    }
    if (c->count == c->capacity) {
        struct entry *victim = c->oldest;
        if (c->on_evict)
            c->on_evict(victim, c->ctx);
        drop(c, victim);
        c->stats.evict++;
        p = slot(c, key);
    }
    struct entry *e = calloc(1, sizeof *e);
    if (!e)
        exit(1);
    e->key = strdup(key);
    e->value = value;
    *p = e;
    attach_newest(c, e);
    c->count++;
}
static int cache_del(struct cache *c, const char *key)
{
    struct entry *e = *slot(c, key);
    if (!e)
        return 0;
    drop(c, e);
    return 1;
}
static void cache_walk(const struct cache *c)
{
    printf("newest");
    for (const struct entry *e = c->newest; e; e = e->older)
        printf(" %s=%ld/%u", e->key, e->value, e->hits);
    puts(" oldest");
}
static int cache_check(const struct cache *c)
{
    size_t forward = 0, backward = 0, chained = 0;
    for (const struct entry *e = c->oldest; e; e = e->newer) forward++;
    for (const struct entry *e = c->newest; e; e = e->older) backward++;
    for (size_t i = 0; i < c->nbuckets; i++)
        for (const struct entry *e = c->bucket[i]; e; e = e->chain) chained++;
    return forward == c->count && backward == c->count && chained == c->count;
}
static void report(const struct entry *e, void *ctx)
{
    int *n = ctx;
    printf("evict #%d %s\n", ++*n, e->key);
}
int main(void)
{
    struct cache c;
    int evictions = 0;
    char op[8], key[16];
    long v;
    if (cache_init(&c, 4))
        return 1;
    c.on_evict = report;
    c.ctx = &evictions;
    while (scanf("%7s", op) == 1) {
        switch (op[0]) {
        case 'p':
            if (scanf("%15s %ld", key, &v) == 2)
                cache_put(&c, key, v);
            break;
        case 'g':
            if (scanf("%15s", key) == 1) {
                if (cache_get(&c, key, &v))
                    printf("get %s: %ld\n", key, v);
                else
                    printf("get %s: miss\n", key);
            }
            break;
        case 'd':
            if (scanf("%15s", key) == 1)
                printf("del %s: %d\n", key, cache_del(&c, key));
            break;
        case 'w':
            cache_walk(&c);
            break;
        default:
            printf("what is %s?\n", op);
        }
        if (!cache_check(&c)) {
            puts("corrupt");
            return 2;
        }
    }
    c.on_evict = NULL;
    for (int i = 0; i < 300; i++) {
        snprintf(key, sizeof key, "k%d", i * i % 11);
        if (!cache_get(&c, key, &v))
            cache_put(&c, key, i);
    }
    cache_walk(&c);
    printf("get %lu hit %lu put %lu evict %lu\n", c.stats.get, c.stats.hit, c.stats.put, c.stats.evict);
    while (c.oldest)
        drop(&c, c.oldest);
    printf("count %zu ok %d\n", c.count, cache_check(&c));
    free(c.bucket);
    return 0;
}
