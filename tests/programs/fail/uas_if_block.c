#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *msg = "many";
    if (argc == 1) {
        char buf[16];
        strcpy(buf, "none");
        msg = buf;
    }
    putchar(msg[0]); //~ use-after-scope
    return 0;
}
