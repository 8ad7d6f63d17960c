#include <stdio.h>

int main(void)
{
    int n = 0, total = 0;
again:
    {
        int inner = n * 2;
        total += inner;
        if (++n < 4)
            goto again;
    }
    goto into;
    {
        int x = 5;
    into:
        x = 9;
        printf("%d\n", x);
    }
    for (int i = 0; i < 3; i++) {
        int *p;
        int v = i;
        p = &v;
        if (i == 1)
            goto skip;
        total += *p;
    skip:
        total += 100;
    }
    switch (n) {
        int y;
    case 4:
        y = 3;
        printf("%d\n", y);
    }
    printf("%d\n", total);
    return 0;
}
