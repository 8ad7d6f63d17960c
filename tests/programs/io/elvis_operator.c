#include <stdio.h>
#include <string.h>

static int count;
static int next(void) { return ++count % 3; }
static const char *find(const char *k, const char *const *tab)
{
    for (; *tab; tab += 2)
        if (!strcmp(k, tab[0]))
            return tab[1];
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 7; i++)
        printf("%d ", next() ?: -1);
    printf("\ncount %d\n", count);
    const char *const tab[] = { "one", "1", "two", "2", NULL, NULL };
    const char *keys[] = { "one", "two", "three", "" };
    for (int i = 0; i < 4; i++)
        printf("%s=%s\n", keys[i], find(keys[i], tab) ?: "(none)");
    double d = 0.0 ?: 2.5;
    printf("%g\n", d);
    int a = 0, b = 0, c = 9;
    printf("%d\n", a ?: b ?: c);
    long l = 0;
    printf("%ld\n", (l ?: -1L) * 2);
    return 0;
}
