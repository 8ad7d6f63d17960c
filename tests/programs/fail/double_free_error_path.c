#include <stdlib.h>

static int process(char *buf, int n)
{
    if (n > 2) {
        free(buf);
        return -1;
    }
    buf[n] = 'x';
    return 0;
}

int main(void)
{
    char *buf = malloc(8);
    if (!buf)
        return 1;
    for (int i = 0; i < 4; i++)
        if (process(buf, i) < 0)
            break;
    free(buf); //~ double-free
    return 0;
}
