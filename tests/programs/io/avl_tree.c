#include <stdio.h>
#include <stdlib.h>

struct node { int key, h; struct node *l, *r; };
static int rotations;

static int height(struct node *n) { return n ? n->h : 0; }
static void update(struct node *n)
{
    int a = height(n->l), b = height(n->r);
    n->h = (a > b ? a : b) + 1;
}
static struct node *right(struct node *y)
{
    struct node *x = y->l;
    y->l = x->r;
    x->r = y;
    update(y);
    update(x);
    rotations++;
    return x;
}
static struct node *left(struct node *x)
{
    struct node *y = x->r;
    x->r = y->l;
    y->l = x;
    update(x);
    update(y);
    rotations++;
    return y;
}
static struct node *fix(struct node *n)
{
    update(n);
    int b = height(n->l) - height(n->r);
    if (b > 1) {
        if (height(n->l->l) < height(n->l->r)) n->l = left(n->l);
        return right(n);
    }
    if (b < -1) {
        if (height(n->r->r) < height(n->r->l)) n->r = right(n->r);
        return left(n);
    }
    return n;
}
static struct node *insert(struct node *n, int k)
{
    if (!n) {
        n = malloc(sizeof *n);
        *n = (struct node){ k, 1, NULL, NULL };
        return n;
    }
    if (k < n->key) n->l = insert(n->l, k);
    else if (k > n->key) n->r = insert(n->r, k);
    return fix(n);
}
static int check(struct node *n, int lo, int hi)
{
    if (!n) return 1;
    int b = height(n->l) - height(n->r);
    return n->key > lo && n->key < hi && b <= 1 && b >= -1 && check(n->l, lo, n->key) && check(n->r, n->key, hi);
}
static void shape(struct node *n)
{
    if (!n) { putchar('.'); return; }
    printf("(%d", n->key); shape(n->l); shape(n->r); putchar(')');
}
static void drop(struct node *n) { if (n) { drop(n->l); drop(n->r); free(n); } }

int main(void)
{
    struct node *t = NULL;
    for (int i = 1; i <= 12; i++)
        t = insert(t, i);
    shape(t);
    printf("\nheight %d rotations %d\n", height(t), rotations);
    for (int i = 0; i < 200; i++)
        t = insert(t, i * 37 % 211 + 20);
    printf("height %d rotations %d valid %d\n", height(t), rotations, check(t, -1, 1000));
    drop(t);
    return 0;
}
