#include <stdio.h>
#include <ctype.h>

static int peek(void)
{
    int c = getchar();
    if (c != EOF)
        ungetc(c, stdin);
    return c;
}
static long number(void)
{
    long v = 0;
    while (isdigit(peek()))
        v = v * 10 + (getchar() - '0');
    return v;
}

int main(void)
{
    int c, line = 1;
    while ((c = peek()) != EOF) {
        if (isdigit(c))
            printf("%d num %ld\n", line, number());
        else if (isalpha(c) || c == '_') {
            printf("%d id ", line);
            while (isalnum(peek()) || peek() == '_')
                putchar(getchar());
            putchar('\n');
        } else if (isspace(c)) {
            if (getchar() == '\n')
                line++;
        } else {
            getchar();
            if ((c == '=' || c == '<') && peek() == '=') {
                getchar();
                printf("%d op %c=\n", line, c);
            } else
                printf("%d op %c\n", line, c);
        }
    }
    printf("%d lines, eof %d\n", line, feof(stdin) != 0);
    return 0;
}
