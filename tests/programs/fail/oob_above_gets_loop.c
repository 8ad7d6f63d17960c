// stdin: this line is far too long for the buffer\n
#include <stdio.h>

static char line[16];

int main(void)
{
    int c, n = 0;
    while ((c = getchar()) != EOF && c != '\n')
        line[n++] = (char)c; //~ array-index
    line[n] = '\0';
    puts(line);
    return 0;
}
