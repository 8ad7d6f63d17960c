#include <stdio.h>

int main(void)
{
    int secret = 37, guess, tries = 0, lo = 1, hi = 100;
    while (scanf("%d", &guess) == 1) {
        tries++;
        if (guess < lo || guess > hi)
            printf("%d is outside %d..%d\n", guess, lo, hi);
        else if (guess < secret) {
            lo = guess + 1;
            puts("higher");
        } else if (guess > secret) {
            hi = guess - 1;
            puts("lower");
        } else {
            printf("got it in %d\n", tries);
            return tries;
        }
    }
    puts("gave up");
    return 100;
}
