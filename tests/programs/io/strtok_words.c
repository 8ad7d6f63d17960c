#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[] = "  alpha,beta;;gamma delta, ";
    int n = 0;
    for (char *t = strtok(s, " ,;"); t; t = strtok(NULL, " ,;"))
        printf("%d %s (%zu)\n", ++n, t, strlen(t));
    char cfg[] = "a=1&b=22&novalue&c=&=x";
    char *outer, *inner;
    for (char *pair = strtok_r(cfg, "&", &outer); pair; pair = strtok_r(NULL, "&", &outer)) {
        char *k = strtok_r(pair, "=", &inner);
        char *v = strtok_r(NULL, "=", &inner);
        printf("%s -> %s\n", k ? k : "-", v ? v : "-");
    }
    char path[] = "/usr//local/bin/";
    char *rest = path, *part;
    while ((part = strsep(&rest, "/")))
        printf("[%s]", part);
    putchar('\n');
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        int words = 0;
        char *save;
        for (char *w = strtok_r(line, " \t\n", &save); w; w = strtok_r(NULL, " \t\n", &save))
            words++;
        printf("%d words\n", words);
    }
    return 0;
}
