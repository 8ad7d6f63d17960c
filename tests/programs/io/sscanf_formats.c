#include <stdio.h>
#include <string.h>

int main(void)
{
    int a = 0, b = 0, c = 0, n;
    unsigned u, o;
    char w[20], w2[20], ch;
    float f;
    double d;
    long long ll;
    short h;
    n = sscanf("12 -34 +56", "%d%d%d", &a, &b, &c);
    printf("%d: %d %d %d\n", n, a, b, c);
    n = sscanf("0x1f 017 99", "%i %i %i", &a, &b, &c);
    printf("%d: %d %d %d\n", n, a, b, c);
    n = sscanf("ff 777", "%x %o", &u, &o);
    printf("%d: %u %u\n", n, u, o);
    n = sscanf("3.5e2 -0.125", "%f %lf", &f, &d);
    printf("%d: %g %g\n", n, f, d);
    n = sscanf("key = value ; rest", "%19s = %19s", w, w2);
    printf("%d: %s %s\n", n, w, w2);
    n = sscanf("abc123def", "%[a-z]%d%[^\n]", w, &a, w2);
    printf("%d: %s %d %s\n", n, w, a, w2);
    n = sscanf("2024-02-29", "%4d-%2d-%2d", &a, &b, &c);
    printf("%d: %d/%d/%d\n", n, a, b, c);
    n = sscanf("12345678", "%3d%2d%n", &a, &b, &c);
    printf("%d: %d %d %d\n", n, a, b, c);
    n = sscanf("x:42", "%c:%*d", &ch);
    printf("%d: %c\n", n, ch);
    n = sscanf("9223372036854775807 -7", "%lld %hd", &ll, &h);
    printf("%d: %lld %hd\n", n, ll, h);
    n = sscanf("hello", "%d", &a);
    printf("%d\n", n);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("10,20,30", "%d,%d;%d", &a, &b, &c);
    printf("%d\n", n);
    n = sscanf("50%", "%d%%", &a);
    printf("%d: %d\n", n, a);
    n = sscanf("  spaced", "%3s", w);
    printf("%d: [%s]\n", n, w);
    n = sscanf("ABCDE", "%2c", w);
    printf("%d: %.2s\n", n, w);
    n = sscanf("]x-", "%[]x-]", w);
    printf("%d: %s\n", n, w);
    return 0;
}
