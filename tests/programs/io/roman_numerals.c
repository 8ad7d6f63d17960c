#include <stdio.h>
#include <string.h>

static const struct { int v; const char *s; } tab[] = {
    { 1000, "M" }, { 900, "CM" }, { 500, "D" }, { 400, "CD" }, { 100, "C" }, { 90, "XC" },
    { 50, "L" }, { 40, "XL" }, { 10, "X" }, { 9, "IX" }, { 5, "V" }, { 4, "IV" }, { 1, "I" }
};

static char *to_roman(int n, char *out)
{
    char *p = out;
    *p = 0;
    for (size_t i = 0; i < sizeof tab / sizeof tab[0]; i++)
        while (n >= tab[i].v) {
            p = stpcpy(p, tab[i].s);
            n -= tab[i].v;
        }
    return out;
}
static int from_roman(const char *s)
{
    static const int val[128] = { ['I'] = 1, ['V'] = 5, ['X'] = 10, ['L'] = 50, ['C'] = 100, ['D'] = 500, ['M'] = 1000 };
    int sum = 0;
    for (; *s; s++) {
        int v = val[(unsigned char)*s & 127], nx = val[(unsigned char)s[1] & 127];
        sum += v < nx ? -v : v;
    }
    return sum;
}
int main(void)
{
    char buf[32];
    int n, ok = 1;
    while (scanf("%d", &n) == 1)
        printf("%d = %s\n", n, to_roman(n, buf));
    for (int i = 1; i < 400; i++)
        if (from_roman(to_roman(i, buf)) != i)
            ok = 0;
    printf("round trip %s\n", ok ? "ok" : "broken");
    return 0;
}
