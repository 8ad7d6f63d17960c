#include <stdio.h>
#include <string.h>
#include <ctype.h>

static const char *const code[36] = {
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---", ".--.", "--.-",
    ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
    "-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..", "----." };

struct trie { short kid[2]; char ch; };
static struct trie t[80];
static int nt = 1;

static void build(void)
{
    for (int i = 0; i < 36; i++) {
        int at = 0;
        for (const char *p = code[i]; *p; p++) {
            short *k = &t[at].kid[*p == '-'];
            if (!*k) *k = nt++;
            at = *k;
        }
        t[at].ch = i < 26 ? 'A' + i : '0' + i - 26;
    }
}
int main(void)
{
    build();
    printf("%d nodes\n", nt);
    char line[200];
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '.' || line[0] == '-') {
            int at = 0;
            for (char *p = line; *p; p++)
                if (*p == '.' || *p == '-') at = t[at].kid[*p == '-'];
                else {
                    if (at) putchar(t[at].ch ? t[at].ch : '?');
                    if (*p == '/') putchar(' ');
                    at = 0;
                }
            putchar('\n');
        } else {
            for (char *p = line; *p && *p != '\n'; p++)
                if (isalpha((unsigned char)*p)) printf("%s ", code[toupper((unsigned char)*p) - 'A']);
                else if (isdigit((unsigned char)*p)) printf("%s ", code[*p - '0' + 26]);
                else printf("/ ");
            putchar('\n');
        }
    }
    return 0;
}
