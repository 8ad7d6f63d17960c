#include <stdio.h>
#include <ctype.h>
#include <string.h>

int main(void)
{
    int freq[26] = { 0 }, len[16] = { 0 }, c, cur = 0, max = 0;
    while ((c = getchar()) != EOF) {
        if (isalpha(c)) {
            int f = ++freq[tolower(c) - 'a'];
            if (f > max) max = f;
            cur++;
        } else if (cur) {
            len[cur > 15 ? 15 : cur]++;
            cur = 0;
        }
    }
    for (int row = max; row > 0; row -= 2) {
        for (int i = 0; i < 26; i++)
            putchar(freq[i] >= row ? '#' : ' ');
        putchar('\n');
    }
    for (int i = 0; i < 26; i++)
        putchar('a' + i);
    putchar('\n');
    for (int i = 1; i < 16; i++)
        if (len[i]) {
            printf("%2d ", i);
            for (int k = len[i]; k--;)
                putchar('=');
            printf(" %d\n", len[i]);
        }
    return max;
}
