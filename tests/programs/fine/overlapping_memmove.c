#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[32] = "abcdefghij";
    memmove(s + 2, s, 8);
    puts(s);
    memmove(s, s + 2, 8);
    puts(s);
    int v[6] = { 1, 2, 3, 4, 5, 6 };
    memmove(v, v + 1, 5 * sizeof *v);
    printf("%d %d\n", v[0], v[5]);
    memcpy(v, v + 3, 3 * sizeof *v);
    printf("%d %d\n", v[0], v[2]);
    for (int i = 0; i < 5; i++)
        v[i + 1] = v[i];
    printf("%d\n", v[5]);
    memmove(s, s, strlen(s) + 1);
    strcpy(s + 16, s);
    puts(s + 16);
    return 0;
}
