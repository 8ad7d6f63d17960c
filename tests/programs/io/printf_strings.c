#include <stdio.h>

int main(void)
{
    const char *s = "hello world";
    char raw[4] = { 'a', 'b', 'c', 'd' };
    printf("[%s][%15s][%-15s]\n", s, s, s);
    printf("[%.5s][%8.3s][%-8.3s][%.0s]\n", s, s, s, s);
    printf("[%.*s][%*s][%-*s]\n", 4, s, 14, s, 14, s);
    printf("[%.4s][%.2s]\n", raw, raw + 2);
    printf("[%.*s]\n", -1, s);
    for (int i = 0; i <= 11; i += 3)
        printf("%.*s|%s\n", i, s, s + i);
    printf("a\tb\\n\"q\" \x41\102\u00e9\a\b?\n");
    printf("adj" "acent " "strings" "\n");
    puts("");
    fputs("no newline", stdout);
    putchar('\n');
    fwrite("nul\0inside\n", 1, 11, stdout);
    fprintf(stdout, "%s-%c-%s\n", "x", 'y', "z");
    fputc('!', stdout);
    putc('\n', stdout);
    return 0;
}
