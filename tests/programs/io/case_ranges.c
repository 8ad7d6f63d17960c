#include <stdio.h>

static const char *class(int c)
{
    switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'f': return "hex";
    case 'g' ... 'z': return "lower";
    case 'A' ... 'Z': return "upper";
    case ' ': case '\t': case '\n': return "space";
    case -100 ... -1: return "negative";
    case 128 ... 0x7fffffff: return "wide";
    default: return "other";
    }
}

static char grade(int score)
{
    switch (score) {
    case 90 ... 100: return 'A';
    case 75 ... 89: return 'B';
    case 50 ... 74: return 'C';
    case 0 ... 49: return 'F';
    }
    return '?';
}

int main(void)
{
    int probe[] = { '0', '9', 'a', 'f', 'g', 'z', 'Z', ' ', '\n', -1, -100, -101, 127, 128, 2147483647, '_' };
    for (unsigned i = 0; i < sizeof probe / sizeof probe[0]; i++)
        printf("%d %s\n", probe[i], class(probe[i]));
    int s, hist[128] = { 0 };
    while (scanf("%d", &s) == 1)
        hist[(int)grade(s)]++;
    printf("A%d B%d C%d F%d ?%d\n", hist['A'], hist['B'], hist['C'], hist['F'], hist['?']);
    return 0;
}
