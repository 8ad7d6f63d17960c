#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int number = 0, squeeze = 0, ends = 0;
    for (int i = 1; i < argc; i++)
        for (char *p = argv[i] + (argv[i][0] == '-'); *p; p++)
            switch (*p) {
            case 'n': number = 1; break;
            case 's': squeeze = 1; break;
            case 'E': ends = 1; break;
            default:
                fprintf(stderr, "cat: bad flag %c\n", *p);
                exit(2);
            }
    char line[256];
    int n = 0, blank = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!*line && squeeze && blank)
            continue;
        blank = !*line;
        if (number)
            printf("%6d\t", ++n);
        printf("%s%s\n", line, ends ? "$" : "");
    }
    return 0;
}
