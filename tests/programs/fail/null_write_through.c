#include <stddef.h>

static void store(int *where, int v)
{
    *where = v; //~ null-dereference
}

int main(void)
{
    int x = 0, *p = &x;
    for (int i = 0; i < 3; i++) {
        store(p, i);
        if (i == 1)
            p = NULL;
    }
    return x;
}
