#include <stdio.h>
#include <string.h>
#include <ctype.h>
#include <stdlib.h>

static const char *const kw[] = { "break", "case", "char", "else", "for", "if", "int", "return", "while" };
static int cmp(const void *k, const void *e) { return strcmp(k, *(const char *const *)e); }

int main(void)
{
    int c, nk = 0, ni = 0, nn = 0, np = 0, ns = 0;
    char w[32];
    c = getchar();
    while (c != EOF) {
        if (isalpha(c) || c == '_') {
            int n = 0;
            while (isalnum(c) || c == '_') {
                if (n < 31) w[n++] = c;
                c = getchar();
            }
            w[n] = 0;
            if (bsearch(w, kw, sizeof kw / sizeof *kw, sizeof *kw, cmp)) nk++;
            else { ni++; printf("%s ", w); }
        } else if (isdigit(c)) {
            while (isalnum(c) || c == '.') c = getchar();
            nn++;
        } else if (c == '"') {
            while ((c = getchar()) != EOF && c != '"')
                if (c == '\\') getchar();
            ns++;
            c = getchar();
        } else {
            np += ispunct(c) != 0;
            c = getchar();
        }
    }
    printf("\nkw %d id %d num %d str %d punct %d\n", nk, ni, nn, ns, np);
    return 0;
}
