#include <stdio.h>
#include <threads.h>

static _Thread_local int tl = 5;
static __thread char name[8] = "tls";
static thread_local double ratio;

static int *where(void) { return &tl; }

int main(void)
{
    tl++;
    *where() += 10;
    name[0] = 'T';
    ratio += 0.25;
    printf("%d %s %g %d\n", tl, name, ratio, where() == &tl);
    return tl;
}
