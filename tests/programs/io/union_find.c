#include <stdio.h>

static int parent[50], size[50];
static int find(int x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}
static int join(int a, int b)
{
    a = find(a);
    b = find(b);
    if (a == b) return 0;
    if (size[a] < size[b]) { int t = a; a = b; b = t; }
    parent[b] = a;
    size[a] += size[b];
    return 1;
}
struct edge { int a, b, w; };
int main(void)
{
    struct edge e[40];
    int n, m = 0, total = 0, used = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) { parent[i] = i; size[i] = 1; }
    while (m < 40 && scanf("%d %d %d", &e[m].a, &e[m].b, &e[m].w) == 3) {
        struct edge x = e[m];
        int i = m++;
        for (; i > 0 && e[i - 1].w > x.w; i--)
            e[i] = e[i - 1];
        e[i] = x;
    }
    for (int i = 0; i < m; i++)
        if (join(e[i].a, e[i].b)) {
            printf("%d-%d (%d)\n", e[i].a, e[i].b, e[i].w);
            total += e[i].w;
            used++;
        }
    printf("mst %d edges weight %d, component of 0 has %d\n", used, total, size[find(0)]);
    return n - used - 1;
}
