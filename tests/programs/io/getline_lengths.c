#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

int main(void)
{
    char *line = NULL, *longest = NULL;
    size_t cap = 0;
    ssize_t n, best = -1;
    int no = 0;
    while ((n = getline(&line, &cap, stdin)) != -1) {
        no++;
        if (line[n - 1] == '\n')
            line[--n] = 0;
        printf("%d: %zd %s\n", no, n, n > 20 ? "(long)" : line);
        if (n > best) {
            best = n;
            free(longest);
            longest = strdup(line);
        }
    }
    printf("longest: %s\n", longest ? longest : "none");
    free(line);
    free(longest);
    char *msg;
    int len = asprintf(&msg, "%s-%05d", "id", 42);
    printf("%d %s\n", len, msg);
    free(msg);
    return no;
}
