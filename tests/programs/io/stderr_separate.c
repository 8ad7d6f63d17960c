#include <stdio.h>
#include <errno.h>
#include <string.h>

int main(void)
{
    char line[64];
    int n = 0, bad = 0;
    while (fgets(line, sizeof line, stdin)) {
        int a, b;
        n++;
        if (sscanf(line, "%d/%d", &a, &b) != 2 || b == 0) {
            fprintf(stderr, "line %d: cannot divide\n", n);
            bad++;
            continue;
        }
        printf("%d\n", a / b);
    }
    fputs("finished\n", stderr);
    fflush(stdout);
    return bad ? 10 + bad : 0;
}
