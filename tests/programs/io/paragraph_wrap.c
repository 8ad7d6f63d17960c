#include <stdio.h>
#include <string.h>
#include <stdlib.h>

int main(void)
{
    char *text = NULL, buf[64];
    size_t n = 0, got;
    while ((got = fread(buf, 1, sizeof buf, stdin))) {
        text = realloc(text, n + got + 1);
        memcpy(text + n, buf, got);
        text[n += got] = 0;
    }
    if (!text) return 1;
    for (int width = 20; width <= 50; width += 30) {
        int col = 0, lines = 1;
        const char *p = text;
        while (*p) {
            size_t sp = strspn(p, " \n");
            int breaks = 0;
            for (size_t i = 0; i < sp; i++) breaks += p[i] == '\n';
            p += sp;
            size_t w = strcspn(p, " \n");
            if (!w) break;
            if (breaks > 1) { printf("\n\n"); col = 0; lines += 2; }
            else if (col && col + 1 + (int)w > width) { putchar('\n'); col = 0; lines++; }
            if (col) { putchar(' '); col++; }
            printf("%.*s", (int)w, p);
            col += (int)w;
            p += w;
        }
        printf("\n-- width %d, %d lines\n", width, lines);
    }
    free(text);
    return 0;
}
