#include <string.h>
#include <stdio.h>

int main(void)
{
    int src[6] = { 1, 2, 3, 4, 5, 6 };
    int dst[4];
    memcpy(dst, src, sizeof dst);
    memcpy(dst, src, sizeof src); //~ out-of-bounds-above
    printf("%d\n", dst[0]);
    return 0;
}
