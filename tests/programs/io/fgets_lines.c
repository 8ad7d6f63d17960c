#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[12];
    int pieces = 0, lines = 0, longest = 0, cur = 0;
    while (fgets(buf, sizeof buf, stdin)) {
        size_t n = strlen(buf);
        pieces++;
        cur += (int)n;
        if (n && buf[n - 1] == '\n') {
            buf[n - 1] = '$';
            cur--;
            if (cur > longest)
                longest = cur;
            cur = 0;
            lines++;
        }
        printf("%zu:%s\n", n, buf);
    }
    if (cur)
        printf("unterminated tail of %d\n", cur);
    printf("%d pieces, %d lines, longest %d\n", pieces, lines, longest);
    printf("eof %d err %d\n", !!feof(stdin), !!ferror(stdin));
    return 0;
}
