#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec { int *data; size_t len, cap; };

static void push(struct vec *v, int x)
{
    if (v->len == v->cap) {
        size_t cap = v->cap ? v->cap * 3 / 2 + 1 : 1;
        int *d = realloc(v->data, cap * sizeof *d);
        if (!d) exit(1);
        v->data = d;
        v->cap = cap;
    }
    v->data[v->len++] = x;
}
static void insert(struct vec *v, size_t at, int x)
{
    push(v, 0);
    memmove(v->data + at + 1, v->data + at, (v->len - at - 1) * sizeof(int));
    v->data[at] = x;
}
static int erase(struct vec *v, size_t at)
{
    int x = v->data[at];
    memmove(v->data + at, v->data + at + 1, (--v->len - at) * sizeof(int));
    return x;
}
int main(void)
{
    struct vec v = { 0 };
    for (int i = 0; i < 50; i++)
        push(&v, i * i % 37);
    printf("%zu\n", v.len);
    insert(&v, 0, -1);
    insert(&v, 25, -2);
    insert(&v, v.len, -3);
    int sum = 0;
    while (v.len > 10)
        sum += erase(&v, v.len / 2);
    printf("%d:", sum);
    for (size_t i = 0; i < v.len; i++)
        printf(" %d", v.data[i]);
    putchar('\n');
    v.data = realloc(v.data, v.len * sizeof(int));
    printf("%d\n", v.data[v.len - 1]);
    free(v.data);
    long *z = calloc(100, sizeof *z);
    long any = 0;
    for (int i = 0; i < 100; i++)
        any |= z[i];
    printf("%ld\n", any);
    free(z);
    free(NULL);
    char *p = realloc(NULL, 6);
    strcpy(p, "fresh");
    puts(p);
    free(p);
    return 0;
}
