/* Huffman coding: count, build a tree, encode to a bit string, decode, compare. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <ctype.h>

struct node { unsigned freq; int sym; struct node *kid[2]; };
struct code { uint32_t bits; uint8_t len; };

struct queue { struct node *v[257]; int n; };

static int before(const struct node *a, const struct node *b)
{
    return a->freq != b->freq ? a->freq < b->freq : a->sym < b->sym;
}
static void push(struct queue *q, struct node *x)
{
    int i = q->n++;
    for (; i > 0 && before(x, q->v[(i - 1) / 2]); i = (i - 1) / 2)
        q->v[i] = q->v[(i - 1) / 2];
    q->v[i] = x;
}
static struct node *pop(struct queue *q)
{
    struct node *top = q->v[0], *x = q->v[--q->n];
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= q->n)
            break;
        if (c + 1 < q->n && before(q->v[c + 1], q->v[c]))
            c++;
        if (!before(q->v[c], x))
            break;
        q->v[i] = q->v[c];
        i = c;
    }
    q->v[i] = x;
    return top;
}
static struct node *make(unsigned freq, int sym, struct node *a, struct node *b)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->freq = freq;
    n->sym = sym;
    n->kid[0] = a;
    n->kid[1] = b;
    return n;
}
static struct node *build(const unsigned freq[256])
{
    struct queue q = { .n = 0 };
    for (int i = 0; i < 256; i++)
        if (freq[i])
            push(&q, make(freq[i], i, NULL, NULL));
    if (q.n == 1)
        push(&q, make(0, 256, NULL, NULL));
    int next = 300;
    while (q.n > 1) {
        struct node *a = pop(&q), *b = pop(&q);
        push(&q, make(a->freq + b->freq, next++, a, b));
    }
    return pop(&q);
}
static void assign(const struct node *n, struct code *table, uint32_t bits, int len)
{
    if (!n->kid[0]) {
        if (n->sym < 256)
            table[n->sym] = (struct code){ bits, (uint8_t)len };
        return;
    }
    assign(n->kid[0], table, bits << 1, len + 1);
    assign(n->kid[1], table, bits << 1 | 1, len + 1);
}
static void discard(struct node *n)
{
    if (!n)
        return;
    discard(n->kid[0]);
    discard(n->kid[1]);
    free(n);
}

struct bitbuf { uint8_t *data; size_t bits, cap; };
static void put_bit(struct bitbuf *b, int bit)
{
    if (b->bits == b->cap * 8) {
        size_t old = b->cap;
        b->cap = old ? old * 2 : 4;
        b->data = realloc(b->data, b->cap);
        if (!b->data)
            exit(1);
        memset(b->data + old, 0, b->cap - old);
    }
    if (bit)
        b->data[b->bits / 8] |= 0x80 >> b->bits % 8;
    b->bits++;
}
static int get_bit(const struct bitbuf *b, size_t i) { return b->data[i / 8] >> (7 - i % 8) & 1; }

static void print_code(struct code c)
{
    for (int i = c.len - 1; i >= 0; i--)
        putchar('0' + (c.bits >> i & 1));
}
int main(void)
{
    static char text[4096], back[4096];
    size_t n = fread(text, 1, sizeof text, stdin);
    if (!n)
        return 1;
    unsigned freq[256] = { 0 };
    for (size_t i = 0; i < n; i++)
        freq[(unsigned char)text[i]]++;
    struct node *root = build(freq);
    struct code table[256] = { { 0 } };
    assign(root, table, 0, 0);
    for (int i = 0; i < 256; i++)
        if (table[i].len) {
            if (isprint(i))
                printf("'%c'", i);
            else
                printf("\\%02x", i);
            printf(" %4u ", freq[i]);
            print_code(table[i]);
            putchar('\n');
        }
    struct bitbuf b = { 0 };
    for (size_t i = 0; i < n; i++) {
        struct code c = table[(unsigned char)text[i]];
        for (int k = c.len - 1; k >= 0; k--)
            put_bit(&b, c.bits >> k & 1);
    }
    printf("%zu bytes -> %zu bits (%.2f%%)\n", n, b.bits, b.bits * 100.0 / (n * 8));
    for (size_t i = 0; i < 24 && i < b.cap; i++)
        printf("%02x", b.data[i]);
    putchar('\n');
    size_t m = 0;
    const struct node *at = root;
    for (size_t i = 0; i < b.bits; i++) {
        at = at->kid[get_bit(&b, i)];
        if (!at->kid[0]) {
            back[m++] = (char)at->sym;
            at = root;
        }
    }
    printf("decoded %zu %s\n", m, m == n && !memcmp(text, back, n) ? "identical" : "DIFFERENT");
    discard(root);
    free(b.data);
    return 0;
}
