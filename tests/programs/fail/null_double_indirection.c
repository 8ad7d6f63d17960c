#include <stdio.h>

int main(void)
{
    FILE *f = fopen("no_such_directory/no_such_file.txt", "r");
    int **table[2] = { 0 };
    if (f)
        return 1;
    return **table[1]; //~ null-dereference
}
