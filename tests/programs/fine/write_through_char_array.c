#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[] = "literal copy";
    s[0] = 'L';
    puts(s);
    char *p = s;
    while (*p)
        if (*p++ == ' ')
            p[-1] = '_';
    puts(s);
    static char g[10] = "global";
    strcpy(g, "changed");
    puts(g);
    char m[2][8] = { "one", "two" };
    strcpy(m[1], "2");
    printf("%s %s\n", m[0], m[1]);
    char *t = (char[]){ "temp" };
    t[3] = 't';
    puts(t);
    struct { char n[6]; } q = { "field" };
    q.n[0] = 'F';
    puts(q.n);
    return 0;
}
