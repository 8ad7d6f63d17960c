#include <stdio.h>
#include <string.h>

#define N 12
static unsigned char adj[N][N];
static int n, seen[N], order[N], norder;

static void dfs(int v, int depth)
{
    seen[v] = 1;
    printf("%*s%d\n", depth * 2, "", v);
    for (int w = 0; w < n; w++)
        if (adj[v][w] && !seen[w])
            dfs(w, depth + 1);
    order[norder++] = v;
}
static void bfs(int start, int *dist)
{
    int q[N], h = 0, t = 0;
    for (int i = 0; i < n; i++)
        dist[i] = -1;
    dist[start] = 0;
    q[t++] = start;
    while (h < t) {
        int v = q[h++];
        for (int w = 0; w < n; w++)
            if (adj[v][w] && dist[w] < 0) {
                dist[w] = dist[v] + 1;
                q[t++] = w;
            }
    }
}
int main(void)
{
    int a, b, dist[N], comps = 0;
    if (scanf("%d", &n) != 1 || n > N) return 1;
    while (scanf("%d %d", &a, &b) == 2)
        if (a < n && b < n)
            adj[a][b] = adj[b][a] = 1;
    for (int v = 0; v < n; v++)
        if (!seen[v]) {
            comps++;
            dfs(v, 0);
        }
    bfs(0, dist);
    for (int i = 0; i < n; i++)
        printf("%d:%d ", i, dist[i]);
    printf("\npost:");
    for (int i = 0; i < norder; i++)
        printf(" %d", order[i]);
    printf("\n%d components\n", comps);
    return comps;
}
