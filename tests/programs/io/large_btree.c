/* A B-tree of order four keys per node with insertion, search and deletion of leaves by rebuild. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>

enum { T = 3, MAXK = 2 * T - 1 };

struct node {
    int n;
    bool leaf;
    int key[MAXK];
    struct node *kid[MAXK + 1];
};
static int allocated, splits, merges;

static struct node *fresh(bool leaf)
{
    struct node *x = malloc(sizeof *x);
    if (!x)
        exit(1);
    memset(x, 0, sizeof *x);
    x->leaf = leaf;
    allocated++;
    return x;
}
static void release(struct node *x)
{
    allocated--;
    free(x);
}
static void split_child(struct node *p, int i)
{
    struct node *y = p->kid[i], *z = fresh(y->leaf);
    splits++;
    z->n = T - 1;
    memcpy(z->key, y->key + T, (T - 1) * sizeof(int));
    if (!y->leaf)
        memcpy(z->kid, y->kid + T, T * sizeof(struct node *));
    y->n = T - 1;
    memmove(p->kid + i + 2, p->kid + i + 1, (p->n - i) * sizeof(struct node *));
    memmove(p->key + i + 1, p->key + i, (p->n - i) * sizeof(int));
    p->kid[i + 1] = z;
    p->key[i] = y->key[T - 1];
    p->n++;
}
static bool contains(const struct node *x, int k)
{
    int i = 0;
    while (i < x->n && k > x->key[i])
        i++;
    if (i < x->n && k == x->key[i])
        return true;
    return !x->leaf && contains(x->kid[i], k);
}
static struct node *insert(struct node *root, int k)
{
    if (contains(root, k))
        return root;
    if (root->n == MAXK) {
        struct node *s = fresh(false);
        s->kid[0] = root;
        split_child(s, 0);
        root = s;
    }
    struct node *x = root;
    while (!x->leaf) {
        int i = x->n;
        while (i > 0 && k < x->key[i - 1])
            i--;
        if (x->kid[i]->n == MAXK) {
            split_child(x, i);
            if (k > x->key[i])
                i++;
        }
        x = x->kid[i];
    }
    int i = x->n++;
    for (; i > 0 && k < x->key[i - 1]; i--)
        x->key[i] = x->key[i - 1];
    x->key[i] = k;
    return root;
}
static void merge(struct node *x, int i)
{
    struct node *a = x->kid[i], *b = x->kid[i + 1];
    merges++;
    a->key[T - 1] = x->key[i];
    memcpy(a->key + T, b->key, b->n * sizeof(int));
    if (!a->leaf)
        memcpy(a->kid + T, b->kid, (b->n + 1) * sizeof(struct node *));
    a->n += b->n + 1;
    memmove(x->key + i, x->key + i + 1, (x->n - i - 1) * sizeof(int));
    memmove(x->kid + i + 1, x->kid + i + 2, (x->n - i - 1) * sizeof(struct node *));
    x->n--;
    release(b);
}
static void fill(struct node *x, int i)
{
    if (i > 0 && x->kid[i - 1]->n >= T) {
        struct node *c = x->kid[i], *s = x->kid[i - 1];
        memmove(c->key + 1, c->key, c->n * sizeof(int));
        memmove(c->kid + 1, c->kid, (c->n + 1) * sizeof(struct node *));
        c->key[0] = x->key[i - 1];
        c->kid[0] = s->kid[s->n];
        x->key[i - 1] = s->key[s->n - 1];
        c->n++;
        s->n--;
    } else if (i < x->n && x->kid[i + 1]->n >= T) {
        struct node *c = x->kid[i], *s = x->kid[i + 1];
        c->key[c->n] = x->key[i];
        c->kid[c->n + 1] = s->kid[0];
        x->key[i] = s->key[0];
        memmove(s->key, s->key + 1, (s->n - 1) * sizeof(int));
        memmove(s->kid, s->kid + 1, s->n * sizeof(struct node *));
        c->n++;
        s->n--;
    } else
        merge(x, i < x->n ? i : i - 1);
}
static void erase(struct node *x, int k)
{
    int i = 0;
    while (i < x->n && k > x->key[i])
        i++;
    if (i < x->n && x->key[i] == k) {
        if (x->leaf) {
            memmove(x->key + i, x->key + i + 1, (x->n - i - 1) * sizeof(int));
            x->n--;
        } else if (x->kid[i]->n >= T) {
            struct node *p = x->kid[i];
            while (!p->leaf)
                p = p->kid[p->n];
            x->key[i] = p->key[p->n - 1];
            erase(x->kid[i], x->key[i]);
        } else if (x->kid[i + 1]->n >= T) {
            struct node *p = x->kid[i + 1];
            while (!p->leaf)
                p = p->kid[0];
            x->key[i] = p->key[0];
            erase(x->kid[i + 1], x->key[i]);
        } else {
            merge(x, i);
            erase(x->kid[i], k);
        }
        return;
    }
    if (x->leaf)
        return;
    bool last = i == x->n;
    if (x->kid[i]->n < T)
        fill(x, i);
    erase(x->kid[last && i > x->n ? i - 1 : i], k);
}
static struct node *drop_key(struct node *root, int k)
{
    erase(root, k);
    if (!root->n && !root->leaf) {
        struct node *r = root->kid[0];
        release(root);
        return r;
    }
    return root;
}
static void print(const struct node *x)
{
    putchar('[');
    for (int i = 0; i <= x->n; i++) {
        if (!x->leaf)
            print(x->kid[i]);
        if (i < x->n)
            printf(x->leaf ? i ? " %d" : "%d" : " %d ", x->key[i]);
    }
    putchar(']');
}
static int check(const struct node *x, int lo, int hi, int depth, int *leaf_depth)
{
    int total = x->n;
    for (int i = 0; i < x->n; i++) {
        if (x->key[i] <= lo || x->key[i] >= hi)
            return -100000;
        if (i && x->key[i] <= x->key[i - 1])
            return -100000;
    }
    if (x->leaf) {
        if (*leaf_depth < 0)
            *leaf_depth = depth;
        return *leaf_depth == depth ? total : -100000;
    }
    for (int i = 0; i <= x->n; i++)
        total += check(x->kid[i], i ? x->key[i - 1] : lo, i < x->n ? x->key[i] : hi, depth + 1, leaf_depth);
    return total;
}
static void destroy(struct node *x)
{
    for (int i = 0; !x->leaf && i <= x->n; i++)
        destroy(x->kid[i]);
    release(x);
}
int main(void)
{
    struct node *root = fresh(true);
    int depth = -1;
    for (int i = 1; i <= 20; i++)
        root = insert(root, i);
    print(root);
    putchar('\n');
    for (int i = 0; i < 150; i++)
        root = insert(root, i * 71 % 199 + 30);
    int total = check(root, -1, 1000, 0, &depth);
    printf("%d keys depth %d nodes %d splits %d\n", total, depth, allocated, splits);
    int found = 0;
    for (int i = 0; i < 300; i++)
        found += contains(root, i);
    printf("found %d\n", found);
    for (int i = 0; i < 300; i++)
        if (i % 4) {
            root = drop_key(root, i);
            depth = -1;
            if (check(root, -1, 1000, 0, &depth) < 0) {
                printf("broken after %d\n", i);
                return 1;
            }
        }
    print(root);
    printf("\nmerges %d nodes %d\n", merges, allocated);
    destroy(root);
    return allocated;
}
