// args: one two three four
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    size_t len[3];
    for (int i = 1; i < argc; i++)
        len[i - 1] = strlen(argv[i]); //~ array-index
    printf("%zu\n", len[0]);
    return 0;
}
