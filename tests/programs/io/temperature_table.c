#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double lo = argc > 1 ? atof(argv[1]) : 0, hi = argc > 2 ? atof(argv[2]) : 100, step = argc > 3 ? atof(argv[3]) : 20;
    if (step <= 0 || lo > hi) {
        fprintf(stderr, "bad range\n");
        return 2;
    }
    printf("%8s | %8s | %8s\n", "C", "F", "K");
    for (int i = 0; lo + i * step <= hi; i++) {
        double c = lo + i * step;
        printf("%8.1f | %8.2f | %8.3f\n", c, c * 9 / 5 + 32, c + 273.15);
    }
    return 0;
}
