// stdin: key value\n
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    char *eq = strchr(line, '=');
    *eq = '\0'; //~ null-dereference
    puts(line);
    return 0;
}
