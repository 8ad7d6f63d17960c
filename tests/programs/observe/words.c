/* Prints the lines that have a word. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char word[] = "tea";

/* Where the word begins, or nothing. */
static const char *find(const char *line)
{
    const char *at = line;
    while ((at = strstr(at, word))) {
        const char *end = at + strlen(word);
        int begins = at == line || !isalnum((unsigned char)at[-1]);
        if (isalnum((unsigned char)*end))
            return NULL; /* of a longer word: there may be another */
        if (begins)
            return at;
        at = end;
    }
    return NULL;
}

int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin))
        if (find(line))
            fputs(line, stdout);
    return 0;
}
