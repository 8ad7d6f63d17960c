#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <stddef.h>

struct s { char a; struct { int b[4]; char c; } in; };
static int classify(int x)
{
    switch (x & 3) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    }
    __builtin_unreachable();
}
int main(void)
{
    for (int i = 0; i < 5; i++)
        printf("%d ", classify(i));
    putchar('\n');
    printf("%zu %zu\n", __builtin_offsetof(struct s, in.c), offsetof(struct s, in.b[2]));
    char buf[16];
    printf("%zu\n", __builtin_object_size(buf, 0));
    __builtin_memset(buf, 'z', 4);
    __builtin_memcpy(buf + 4, "end", 4);
    printf("%s %d\n", buf, __builtin_strcmp(buf, "zzzzend"));
    printf("%g %g %g\n", __builtin_fabs(-2.5), __builtin_sqrt(6.25), __builtin_inf());
    printf("%d %d\n", __builtin_isnan(__builtin_nan("")), __builtin_signbit(-1.0) != 0);
    printf("%d\n", __builtin_labs(-9L) == 9);
    return 0;
}
