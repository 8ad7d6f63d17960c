#include <stdio.h>
#include <string.h>
#include "plugin.h"

int main(int argc, char **argv)
{
    char line[80];
    if (argc < 2) return 2;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        for (int i = 1; i < argc; i++) {
            const struct plugin *p = find_plugin(argv[i]);
            if (!p) {
                printf("no plugin %s\n", argv[i]);
                return 3;
            }
            p->run(line);
        }
        puts(line);
    }
    for (const struct plugin *const *p = plugins; *p; p++)
        printf("%s used %d times\n", (*p)->name, *(*p)->uses);
    return 0;
}
