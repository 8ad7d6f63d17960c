#include <stdio.h>
#include <string.h>

int main(void)
{
    char path[16] = "/home/user";
    strcat(path, "/a");
    puts(path);
    strcat(path, "/bin"); //~ out-of-bounds-above
    puts(path);
    return 0;
}
