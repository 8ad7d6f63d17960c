#include <stdio.h>
#include <string.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    printf("argc=%d null=%d\n", argc, argv[argc] == NULL);
    long sum = 0;
    for (int i = 1; i < argc; i++) {
        char *end;
        long v = strtol(argv[i], &end, 0);
        if (*argv[i] && !*end) {
            printf("%d: number %ld\n", i, v);
            sum += v;
        } else
            printf("%d: text [%s] len %zu stops at %zu\n", i, argv[i], strlen(argv[i]), (size_t)(end - argv[i]));
    }
    char **p = argv + 1;
    while (*p)
        (*p++)[0] ^= 0x20;
    for (p = argv + 1; *p; p++)
        printf("%s;", *p);
    printf("\nsum %ld\n", sum);
    return (int)(sum & 0x7f);
}
