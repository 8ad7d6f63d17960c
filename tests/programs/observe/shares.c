/* Prints what part of its total each line has: "12 of 48" is 25 %. An empty total stops it. */
#include <stdio.h>

static int lines, last;

static int percent(int part, int total)
{
    int result;
    lines++;
    result = part * 100 / total;
    last = result;
    return result;
}

static int scaled(int value)
{
    return value > 1000 ? value / 1000 : value;
}

int main(void)
{
    int part, total;
    while (scanf("%d of %d", &part, &total) == 2)
        printf("%d %%\n", percent(scaled(part), scaled(total) - 1));
    printf("%d lines, %d %% at last\n", lines, last);
    return 0;
}
