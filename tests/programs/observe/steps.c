/* Prints how many steps it takes to walk down a stair; a step of zero takes for ever. */
#include <stdio.h>
#include <stdlib.h>

static int step_of(int height, int number)
{
    return height / number;
}

static int walk(int height, int step)
{
    int steps = 0;
    while (height > 0) {
        height -= step;
        steps++;
    }
    return steps;
}

int main(void)
{
    int height, number;
    while (scanf("%d %d", &height, &number) == 2) {
        if (number <= 0)
            return 2;
        printf("%d\n", walk(height, step_of(height, number)));
    }
    return 0;
}
