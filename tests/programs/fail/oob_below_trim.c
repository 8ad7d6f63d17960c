// stdin: \n
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    long n = (long)strlen(line) - 1;
    while (line[n] == ' ' || line[n] == '\n') //~ array-index
        line[n--] = '\0';
    puts(line);
    return 0;
}
