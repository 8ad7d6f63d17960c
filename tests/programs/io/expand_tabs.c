#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int tab = argc > 1 ? atoi(argv[1]) : 8, c, col = 0, longest = 0;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case '\t':
            do {
                putchar('.');
                col++;
            } while (col % tab);
            break;
        case '\n':
            longest = col > longest ? col : longest;
            col = 0;
            putchar(c);
            break;
        case '\b':
            if (col) col--;
            break;
        default:
            col++;
            putchar(c);
        }
    }
    return longest;
}
