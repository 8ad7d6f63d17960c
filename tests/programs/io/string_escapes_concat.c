#include <stdio.h>
#include <string.h>

#define GREETING "hello"
#define NL "\n"
static const char lines[] =
    "first\n"
    "second\ttab\n"
    "third \"quoted\" \\ back\n";
static const char nul[] = "a\0b\0c";
static const char *table[][2] = { { "k1", "v1" }, { "k2", "v" "2" }, { GREETING, "w" "o" "r" "l" "d" } };

int main(void)
{
    fputs(lines, stdout);
    printf("%zu %zu\n", strlen(lines), sizeof nul);
    for (size_t i = 0; i < sizeof nul; i++)
        printf("%d ", nul[i]);
    putchar('\n');
    printf(GREETING ", %s" NL, "world");
    for (int i = 0; i < 3; i++)
        printf("%s=%s\n", table[i][0], table[i][1]);
    printf("%d %d %d %d\n", '\t', '\\', '\'', '\x7f');
    printf("\101\x42\103 \e[0m%c" "\x41" "B\n", '\060');
    const char *ml = "line one \
continues";
    puts(ml);
    printf("%s %s\n", __FILE__ + strlen(__FILE__) - 2, "??/" + 2);
    printf("%c%c%c\n", "abc"[1], *"xyz", 2["pqr"]);
    char arr[3] = "abc", arr2[] = { "braced" };
    printf("%.3s %s %zu\n", arr, arr2, sizeof arr2);
    return 0;
}
