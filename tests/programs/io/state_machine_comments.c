#include <stdio.h>

typedef enum { CODE, SLASH, LINE, BLOCK, STAR, STR, ESC, CHR, CESC, NSTATES } state;

int main(void)
{
    state s = CODE;
    int c, removed = 0, visits[NSTATES] = { 0 };
    while ((c = getchar()) != EOF) {
        visits[s]++;
        switch (s) {
        case CODE:
            if (c == '/') { s = SLASH; continue; }
            if (c == '"') s = STR;
            if (c == '\'') s = CHR;
            putchar(c);
            break;
        case SLASH:
            if (c == '/') { s = LINE; removed++; }
            else if (c == '*') { s = BLOCK; removed++; }
            else { putchar('/'); putchar(c); s = CODE; }
            break;
        case LINE:
            if (c == '\n') { putchar(c); s = CODE; }
            break;
        case BLOCK:
            if (c == '*') s = STAR;
            break;
        case STAR:
            if (c == '/') { putchar(' '); s = CODE; }
            else if (c != '*') s = BLOCK;
            break;
        case STR: case CHR:
            putchar(c);
            if (c == '\\') s = s == STR ? ESC : CESC;
            else if (c == (s == STR ? '"' : '\'')) s = CODE;
            break;
        case ESC: putchar(c); s = STR; break;
        case CESC: putchar(c); s = CHR; break;
        default: return 9;
        }
    }
    printf("-- %d comments:", removed);
    for (int i = 0; i < NSTATES; i++)
        printf(" %d", visits[i]);
    putchar('\n');
    return s != CODE;
}
