#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

#define BASE 1000000000u
struct big { int n; uint32_t d[40]; };

static void mul_small(struct big *b, uint32_t k)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->d[i] * k;
        b->d[i] = carry % BASE;
        carry /= BASE;
    }
    if (carry)
        b->d[b->n++] = (uint32_t)carry;
}
static struct big add(struct big a, const struct big *b)
{
    uint32_t c = 0;
    int n = a.n > b->n ? a.n : b->n;
    for (int i = 0; i < n; i++) {
        uint32_t s = (i < a.n ? a.d[i] : 0) + (i < b->n ? b->d[i] : 0) + c;
        c = s >= BASE;
        a.d[i] = c ? s - BASE : s;
    }
    a.n = n;
    if (c) a.d[a.n++] = 1;
    return a;
}
static void print(const struct big *b)
{
    printf("%u", b->d[b->n - 1]);
    for (int i = b->n - 2; i >= 0; i--)
        printf("%09u", b->d[i]);
    putchar('\n');
}
int main(void)
{
    struct big f = { 1, { 1 } };
    for (uint32_t i = 2; i <= 60; i++) {
        mul_small(&f, i);
        if (i % 20 == 0) print(&f);
    }
    struct big a = { 1, { 0 } }, b = { 1, { 1 } };
    for (int i = 0; i < 300; i++) {
        struct big t = add(a, &b);
        a = b;
        b = t;
    }
    print(&a);
    int sum = 0;
    for (int i = 0; i < a.n; i++)
        for (uint32_t d = a.d[i]; d; d /= 10)
            sum += d % 10;
    printf("%d\n", sum);
    return 0;
}
