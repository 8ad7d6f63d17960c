#include <stdio.h>
#include <string.h>

struct pad { char c; int i; char d; double x; char e; };

static struct pad pass(struct pad p) { p.c++; return p; }

int main(void)
{
    struct pad a;
    a.c = 'a';
    a.i = 1;
    a.d = 'd';
    a.x = 2.5;
    a.e = 'e';
    struct pad b = a, c, v[3];
    memcpy(&c, &b, sizeof c);
    for (int i = 0; i < 3; i++)
        v[i] = pass(c);
    v[1] = v[2];
    memmove(&v[0], &v[1], 2 * sizeof v[0]);
    printf("%c %d %c %g %c\n", v[0].c, v[0].i, v[0].d, v[0].x, v[0].e);
    unsigned char raw[sizeof a];
    memcpy(raw, &a, sizeof a);
    printf("%c\n", raw[0]);
    return 0;
}
