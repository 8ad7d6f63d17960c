#include <stdio.h>

static int total;
static void visit(const int *p) { total += *p; }

int main(void)
{
    int *p = NULL;
    for (int i = 0; i < 4; i++) {
        int local = i;
        p = &local;
        visit(p);
    }
    p = &total;
    printf("%d\n", *p);
    {
        static int keep = 5;
        p = &keep;
    }
    printf("%d\n", *p);
    int outer = 8;
    {
        int inner = outer;
        p = &outer;
        outer += inner;
    }
    printf("%d\n", *p);
    int *lit = (int[]){ 1, 2, 3 };
    printf("%d\n", lit[2]);
    return 0;
}
