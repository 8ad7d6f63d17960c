#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <math.h>

int main(void)
{
    const char *t[] = { "3.25", "-0.5e3", ".5", "5.", "1e", "1e+", "  7.5abc", "0x1.8p3", "inf", "-INFINITY", "nan",
                        "1e400", "1e-400", "", ".", "e5", "123456789012345678901234567890", "0.1", "4.9e-324", "1.7976931348623157e308" };
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        char *end;
        errno = 0;
        double d = strtod(t[i], &end);
        int e = errno == ERANGE;
        if (isnan(d))
            printf("%s: nan stop %d\n", t[i], (int)(end - t[i]));
        else
            printf("%s: %.17g stop %d range %d\n", t[i], d, (int)(end - t[i]), e);
    }
    printf("%.9g %.3f\n", strtof("0.1", NULL), atof("2.71828xyz"));
    printf("%.20Lg\n", strtold("0.1", NULL));
    double d;
    int n = 0;
    double sum = 0;
    while (scanf("%lf", &d) == 1) {
        sum += d;
        n++;
    }
    printf("%d mean %.6f\n", n, sum / n);
    return 0;
}
