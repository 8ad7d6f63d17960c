#include <stdio.h>
#include <string.h>

static const char key[5] = "admin";

int main(void)
{
    char word[16] = "admin";
    printf("%d\n", strncmp(word, key, 5));
    printf("%d\n", strcmp(word, key)); //~ string-function
    return 0;
}
