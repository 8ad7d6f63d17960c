// stdin: a line longer than the buffer\n
#include <stdio.h>

int main(void)
{
    char buf[8];
    if (!fgets(buf, 32, stdin)) //~ out-of-bounds-above
        return 1;
    puts(buf);
    return 0;
}
