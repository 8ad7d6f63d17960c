#include <stdio.h>
#include <stdbool.h>
#include <string.h>

enum small { A, B, C };
static const char *label(enum small s) { switch (s) { case A: return "a"; case B: return "b"; default: return "?"; } }

int main(void)
{
    enum small s = (enum small)3;
    printf("%s %d\n", label(s), s);
    bool b = 2;
    b |= 4;
    printf("%d\n", b);
    unsigned char one = 1;
    memcpy(&b, &one, 1);
    printf("%d\n", b + 1);
    bool arr[3] = { 5, 0, -1 };
    printf("%d\n", arr[0] + arr[1] + arr[2]);
    b = !b;
    b = b == 0;
    printf("%d\n", b);
    return 0;
}
