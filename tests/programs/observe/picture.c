/* How many bytes a picture needs: its width, height and the bits of a point, one picture a line. Rows are filled up to whole words
   of four bytes, behind a header. */
#include <stdio.h>
#include <stdlib.h>

struct picture {
    int width, height, bits;
};

static int bytes(const struct picture *it)
{
    return 54 + it->height * (((short)(it->width * it->bits) + 31) / 32 * 4); /* at fault: the bits of a row are more than a short holds */
}

int main(void)
{
    struct picture picture;
    while (scanf("%d %d %d", &picture.width, &picture.height, &picture.bits) == 3) {
        int size = bytes(&picture);
        if (size < 0)
            abort();
        printf("%d\n", size);
    }
    return 0;
}
