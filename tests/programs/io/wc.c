#include <stdio.h>
#include <ctype.h>

int main(void)
{
    long lines = 0, words = 0, chars = 0, longest = 0, col = 0;
    int c, in = 0;
    while ((c = getchar()) != EOF) {
        chars++;
        if (c == '\n') {
            lines++;
            if (col > longest) longest = col;
            col = 0;
        } else
            col++;
        if (isspace(c))
            in = 0;
        else if (!in) {
            in = 1;
            words++;
        }
    }
    printf("%7ld %7ld %7ld max %ld\n", lines, words, chars, longest);
    return lines > 255 ? 255 : (int)lines;
}
