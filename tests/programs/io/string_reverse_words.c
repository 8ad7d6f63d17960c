#include <stdio.h>
#include <string.h>
#include <ctype.h>

static void flip(char *a, char *b) { while (a < b) { char t = *a; *a++ = *--b; *b = t; } }
static void reverse_words(char *s)
{
    flip(s, s + strlen(s));
    for (char *p = s; *p;) {
        while (*p == ' ') p++;
        char *e = p;
        while (*e && *e != ' ') e++;
        flip(p, e);
        p = e;
    }
}
static void capitalise(char *s)
{
    int start = 1;
    for (; *s; s++) {
        *s = start ? toupper((unsigned char)*s) : tolower((unsigned char)*s);
        start = !isalnum((unsigned char)*s) && *s != '\'';
    }
}
static void squeeze(char *s)
{
    char *w = s;
    for (char *r = s; *r; r++)
        if (*r != ' ' || (w != s && w[-1] != ' '))
            *w++ = *r;
    if (w != s && w[-1] == ' ')
        w--;
    *w = 0;
}
static int is_pal(const char *s)
{
    const char *e = s + strlen(s);
    while (s < e) {
        if (!isalpha((unsigned char)*s)) s++;
        else if (!isalpha((unsigned char)e[-1])) e--;
        else if (tolower((unsigned char)*s++) != tolower((unsigned char)*--e)) return 0;
    }
    return 1;
}
int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        squeeze(line);
        printf("[%s] pal %d\n", line, is_pal(line));
        reverse_words(line);
        capitalise(line);
        printf("[%s]\n", line);
    }
    return 0;
}
