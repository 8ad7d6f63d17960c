#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static int width;
static char words[40][20];
static int count, letters;

static void flush(int last)
{
    if (!count) return;
    int gaps = count - 1, pad = width - letters;
    for (int i = 0; i < count; i++) {
        fputs(words[i], stdout);
        if (i < gaps) {
            int n = last ? 1 : pad / (gaps - i);
            pad -= n;
            printf("%*s", n, "");
        }
    }
    puts("|");
    count = letters = 0;
}
int main(int argc, char **argv)
{
    width = argc > 1 ? atoi(argv[1]) : 20;
    char w[20];
    while (scanf("%19s", w) == 1) {
        int n = strlen(w);
        if (letters + n + count > width)
            flush(0);
        strcpy(words[count++], w);
        letters += n;
    }
    flush(1);
    return 0;
}
