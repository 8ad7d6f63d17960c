#include <stdio.h>

int x = 1;
static int y = 2;
extern int late;

static int shadow(int x)
{
    int r = x;
    {
        int x = 100;
        r += x;
        {
            extern int x;
            r += x * 1000;
        }
    }
    for (int x = 0; x < 3; x++)
        r += x;
    return r + x;
}
static int tag(void)
{
    struct s { int a; } v = { 1 };
    {
        struct s { char b[3]; } w = { "ab" };
        v.a += sizeof(struct s) + w.b[1];
    }
    enum { x = 50 };
    typedef int y;
    y z = x;
    return v.a + z + (int)sizeof(struct s);
}
int late = 77;

int main(void)
{
    printf("%d %d\n", shadow(5), tag());
    printf("%d\n", late);
    int x = 9;
    if (x > 5) {
        int x = 3;
        y += x;
    } else
        y = 0;
    printf("%d %d\n", x, y);
    int i = 10;
    for (int i = 0; i < 2; i++) {
        int i = 50;
        i++;
        printf("%d ", i);
    }
    printf("%d\n", i);
    goto label;
    {
        int skipped = 1;
label:
        skipped = 4;
        printf("%d\n", skipped);
    }
    struct label { int label; } label = { 6 };
    printf("%d\n", label.label);
    return x;
}
