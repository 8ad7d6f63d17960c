#include <stdio.h>
#include <string.h>

static char maze[20][40];
static int dist[20][40], rows;
struct pos { short y, x; };

int main(void)
{
    struct pos start = { 0 }, goal = { 0 }, queue[800];
    int head = 0, tail = 0;
    while (rows < 20 && fgets(maze[rows], sizeof maze[0], stdin)) {
        char *p;
        maze[rows][strcspn(maze[rows], "\n")] = 0;
        if ((p = strchr(maze[rows], 'S'))) start = (struct pos){ rows, p - maze[rows] };
        if ((p = strchr(maze[rows], 'G'))) goal = (struct pos){ rows, p - maze[rows] };
        rows++;
    }
    memset(dist, -1, sizeof dist);
    dist[start.y][start.x] = 0;
    queue[tail++] = start;
    static const struct pos step[4] = { { -1, 0 }, { 0, 1 }, { 1, 0 }, { 0, -1 } };
    while (head < tail) {
        struct pos p = queue[head++];
        for (int d = 0; d < 4; d++) {
            int y = p.y + step[d].y, x = p.x + step[d].x;
            if (y < 0 || y >= rows || x < 0 || maze[y][x] == '#' || !maze[y][x] || dist[y][x] >= 0)
                continue;
            dist[y][x] = dist[p.y][p.x] + 1;
            queue[tail++] = (struct pos){ y, x };
        }
    }
    int len = dist[goal.y][goal.x];
    printf("visited %d, shortest %d\n", tail, len);
    for (struct pos p = goal; len > 0;) {
        for (int d = 0; d < 4; d++) {
            int y = p.y + step[d].y, x = p.x + step[d].x;
            if (y >= 0 && y < rows && x >= 0 && dist[y][x] == len - 1) {
                p = (struct pos){ y, x };
                break;
            }
        }
        if (--len > 0) maze[p.y][p.x] = '*';
    }
    for (int i = 0; i < rows; i++)
        puts(maze[i]);
    return 0;
}
