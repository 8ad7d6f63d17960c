#include <stdio.h>

int main(void)
{
    char buf[8];
    for (int i = 1; i < 100000000; i *= 10) {
        snprintf(buf, sizeof buf, "id%d", i);
        sprintf(buf, "id%d", i); //~ out-of-bounds-above
    }
    puts(buf);
    return 0;
}
