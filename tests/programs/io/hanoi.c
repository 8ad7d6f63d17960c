#include <stdio.h>
#include <stdlib.h>

static int pegs[3][10], height[3], moves;

static void move(int from, int to)
{
    int disc = pegs[from][--height[from]];
    pegs[to][height[to]++] = disc;
    if (++moves <= 15)
        printf("%d: disc %d %c->%c\n", moves, disc, 'A' + from, 'A' + to);
}

static void solve(int n, int from, int to, int via)
{
    if (n == 0)
        return;
    solve(n - 1, from, via, to);
    move(from, to);
    solve(n - 1, via, to, from);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = n; i > 0; i--)
        pegs[0][height[0]++] = i;
    solve(n, 0, 2, 1);
    printf("%d moves, heights %d %d %d\n", moves, height[0], height[1], height[2]);
    for (int i = 0; i < height[2]; i++)
        printf("%d ", pegs[2][i]);
    putchar('\n');
    return height[2];
}
