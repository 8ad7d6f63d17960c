#include <stdio.h>
#include <string.h>

int main(void)
{
    char cur[80], prev[80] = "";
    int run = 0, groups = 0;
    while (fgets(cur, sizeof cur, stdin)) {
        cur[strcspn(cur, "\r\n")] = '\0';
        if (run && !strcmp(cur, prev)) {
            run++;
            continue;
        }
        if (run)
            printf("%4d %s\n", run, prev);
        strcpy(prev, cur);
        run = 1;
        groups++;
    }
    if (run)
        printf("%4d %s\n", run, prev);
    printf("%d groups\n", groups);
    return 0;
}
