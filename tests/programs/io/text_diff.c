#include <stdio.h>
#include <string.h>

#define MAX 24
static char a[MAX][40], b[MAX][40];
static int na, nb, t[MAX + 1][MAX + 1];

static int diff(int i, int j)
{
    int changes = 0;
    if (i > 0 && j > 0 && !strcmp(a[i - 1], b[j - 1])) {
        changes = diff(i - 1, j - 1);
        printf("  %s\n", a[i - 1]);
    } else if (j > 0 && (i == 0 || t[i][j - 1] >= t[i - 1][j])) {
        changes = diff(i, j - 1) + 1;
        printf("+ %s\n", b[j - 1]);
    } else if (i > 0) {
        changes = diff(i - 1, j) + 1;
        printf("- %s\n", a[i - 1]);
    }
    return changes;
}
int main(void)
{
    char line[40];
    int second = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!strcmp(line, "===")) {
            second = 1;
            continue;
        }
        if (second && nb < MAX) strcpy(b[nb++], line);
        else if (!second && na < MAX) strcpy(a[na++], line);
    }
    for (int i = 1; i <= na; i++)
        for (int j = 1; j <= nb; j++)
            t[i][j] = !strcmp(a[i - 1], b[j - 1]) ? t[i - 1][j - 1] + 1 : t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
    return diff(na, nb);
}
