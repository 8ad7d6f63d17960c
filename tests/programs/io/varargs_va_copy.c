#include <stdio.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char *format(const char *f, ...)
{
    va_list ap, again;
    va_start(ap, f);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, f, ap);
    va_end(ap);
    char *s = malloc(n + 1);
    vsnprintf(s, n + 1, f, again);
    va_end(again);
    return s;
}
static int take(va_list *ap, int k)
{
    int s = 0;
    while (k--)
        s += va_arg(*ap, int);
    return s;
}
static void groups(int n, ...)
{
    va_list ap, save;
    va_start(ap, n);
    take(&ap, 1);
    va_copy(save, ap);
    for (int g = 1; g <= n; g++)
        printf("%d ", take(&ap, g));
    printf("| %d\n", take(&save, 8));
    va_end(save);
    va_end(ap);
}
static void twice(int n, ...)
{
    va_list ap;
    for (int round = 0; round < 2; round++) {
        va_start(ap, n);
        for (int i = 0; i < n; i++)
            printf("%s ", va_arg(ap, char *));
        va_end(ap);
    }
    putchar('\n');
}
static void report(const char *tag, const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    printf("[%s] ", tag);
    vprintf(f, ap);
    va_end(ap);
}
int main(void)
{
    char *s = format("%d %s %g %lld %c", 5, "five", 5.5, 5LL << 33, 'v');
    printf("%zu %s\n", strlen(s), s);
    free(s);
    groups(4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    twice(3, "x", "yy", "zzz");
    report("info", "%d/%d %s\n", 3, 4, "done");
    report("many", "%d %f %d %f %d %f %d %f %d %f %d\n", 1, 1., 2, 2., 3, 3., 4, 4., 5, 5., 6);
    return 0;
}
