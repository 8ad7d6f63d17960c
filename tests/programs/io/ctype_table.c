#include <stdio.h>
#include <ctype.h>

int main(void)
{
    int counts[11] = { 0 };
    for (int c = 0; c < 128; c++) {
        int bits[] = { isalpha(c), isdigit(c), isalnum(c), isspace(c), isupper(c), islower(c),
                       ispunct(c), isxdigit(c), isprint(c), isgraph(c), iscntrl(c) };
        for (int i = 0; i < 11; i++)
            counts[i] += !!bits[i];
        if (c >= 32 && c < 127 && c % 9 == 0)
            printf("%c up %c low %c\n", c, toupper(c), tolower(c));
    }
    for (int i = 0; i < 11; i++)
        printf("%d ", counts[i]);
    putchar('\n');
    int c, prev = ' ';
    while ((c = getchar()) != EOF) {
        putchar(isspace(prev) ? toupper(c) : tolower(c));
        prev = c;
    }
    printf("%d %d %d\n", isblank('\t') != 0, isblank('\n') != 0, toascii(0xc1));
    return 0;
}
