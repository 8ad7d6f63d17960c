#include <stdlib.h>

struct account { int id; long balance; };

static void close_account(struct account *a)
{
    if (a->balance == 0)
        free(a);
}

int main(void)
{
    struct account *a = malloc(sizeof *a);
    if (!a)
        return 1;
    a->id = 1;
    a->balance = 0;
    close_account(a);
    a->balance += 10; //~ use-after-free
    return 0;
}
