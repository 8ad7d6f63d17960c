#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *why)
{
    printf("error: %s\n", why);
    exit(64);
}

int main(int argc, char *argv[])
{
    int level = 0;
    const char *out = "default";
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-v"))
            level++;
        else if (!strncmp(argv[i], "--out=", 6))
            out = argv[i] + 6;
        else if (!strcmp(argv[i], "--"))
            break;
        else {
            printf("level %d out %s\n", level, out);
            usage(argv[i]);
        }
    }
    puts("unreached in this test");
    return 0;
}
