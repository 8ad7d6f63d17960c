#include <stdio.h>
#include <string.h>

static int count(char *s, int c) { int n = 0; for (; *s; s++) n += *s == c; return n; }
static const int table[] = { 3, 1, 2 };

int main(void)
{
    printf("%d\n", count((char *)"mississippi", 's'));
    int *p = (int *)table;
    printf("%d %d\n", p[0], *(p + 2));
    int x = 5;
    const int *cp = &x;
    *(int *)cp = 6;
    printf("%d\n", x);
    char buf[8] = "abc";
    const char *view = buf;
    *strchr(view, 'b') = 'X';
    puts(buf);
    const char *a = "same", *b = "other";
    a = b;
    puts(a);
    return 0;
}
