#include <stdio.h>
#include <ctype.h>
#include <string.h>

static char text[512];
static const double freq[26] = {
    8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2.0, 6.1, 7.0, 0.15, 0.77, 4.0, 2.4,
    6.7, 7.5, 1.9, 0.095, 6.0, 6.3, 9.1, 2.8, 0.98, 2.4, 0.15, 2.0, 0.074
};

static double score(int shift)
{
    double s = 0;
    for (char *p = text; *p; p++)
        if (isalpha((unsigned char)*p))
            s += freq[(tolower((unsigned char)*p) - 'a' + shift) % 26];
    return s;
}

int main(void)
{
    size_t n = fread(text, 1, sizeof text - 1, stdin);
    text[n] = 0;
    int best = 0;
    for (int i = 1; i < 26; i++)
        if (score(i) > score(best))
            best = i;
    printf("shift %d score %.3f\n", best, score(best));
    for (char *p = text; *p; p++) {
        int base = isupper((unsigned char)*p) ? 'A' : 'a';
        putchar(isalpha((unsigned char)*p) ? base + (*p - base + best) % 26 : *p);
    }
    return 0;
}
