#include <stdio.h>
#include "config.h"

int main(void)
{
    struct config c = config_default;
    int bad = config_read(&c, stdin);
    config_print(&c);
    printf("%d bad lines\n", bad);
    return bad;
}
