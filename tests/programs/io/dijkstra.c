#include <stdio.h>
#include <limits.h>
#include <string.h>

struct edge { int to, w, next; };
static struct edge e[64];
static int head[16], ne, n;

static void add(int a, int b, int w)
{
    e[ne] = (struct edge){ b, w, head[a] };
    head[a] = ne++;
}
int main(void)
{
    int src, m;
    if (scanf("%d %d %d", &n, &m, &src) != 3) return 1;
    memset(head, -1, sizeof head);
    while (m--) {
        int a, b, w;
        if (scanf("%d%d%d", &a, &b, &w) != 3) return 2;
        add(a, b, w);
        add(b, a, w);
    }
    int dist[16], prev[16], done[16] = { 0 };
    for (int i = 0; i < n; i++) {
        dist[i] = INT_MAX;
        prev[i] = -1;
    }
    dist[src] = 0;
    for (;;) {
        int v = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && dist[i] < INT_MAX && (v < 0 || dist[i] < dist[v]))
                v = i;
        if (v < 0) break;
        done[v] = 1;
        for (int i = head[v]; i >= 0; i = e[i].next)
            if (dist[v] + e[i].w < dist[e[i].to]) {
                dist[e[i].to] = dist[v] + e[i].w;
                prev[e[i].to] = v;
            }
    }
    for (int i = 0; i < n; i++) {
        if (dist[i] == INT_MAX) { printf("%d unreachable\n", i); continue; }
        printf("%d dist %d path %d", i, dist[i], i);
        for (int p = prev[i]; p >= 0; p = prev[p])
            printf("<-%d", p);
        putchar('\n');
    }
    return 0;
}
