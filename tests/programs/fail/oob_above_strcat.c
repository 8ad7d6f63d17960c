#include <stdio.h>
#include <string.h>

int main(void)
{
    char path[16] = "/data/user";
    strcat(path, "/a");
    puts(path);
    strcat(path, "/bin"); //~ out-of-bounds-above
    puts(path);
    return 0;
}
