#include <stdio.h>
#include <ctype.h>

static int score(const char *s)
{
    int rolls[24] = { 0 }, n = 0;
    for (; *s && n < 21; s++)
        if (*s == 'X') rolls[n++] = 10;
        else if (*s == '/' && n) { rolls[n] = 10 - rolls[n - 1]; n++; }
        else if (*s == '-') rolls[n++] = 0;
        else if (isdigit((unsigned char)*s)) rolls[n++] = *s - '0';
    int total = 0, at = 0;
    for (int frame = 0; frame < 10; frame++)
        if (rolls[at] == 10) {
            total += 10 + rolls[at + 1] + rolls[at + 2];
            at++;
        } else {
            int two = rolls[at] + rolls[at + 1];
            total += two == 10 ? 10 + rolls[at + 2] : two;
            at += 2;
        }
    return total;
}
int main(void)
{
    char g[40];
    int best = 0;
    while (scanf("%39s", g) == 1) {
        int s = score(g);
        printf("%-22s %3d\n", g, s);
        best = s > best ? s : best;
    }
    return best > 255 ? 255 : best;
}
