/* The average of the marks on the command line, the lowest one not counted.
 *
 * Closing the gap that the dropped mark leaves reads one element too far. A plain run shows
 * nothing: what was read from behind the array ends up in the element that is dropped anyway.
 *
 *     faultline explain examples/average.c -- 71 64 88
 */
#include <stdio.h>
#include <stdlib.h>

static int lowest(const int *marks, int count)
{
    int at = 0;
    for (int i = 1; i < count; i++)
        if (marks[i] < marks[at])
            at = i;
    return at;
}

static int drop(int *marks, int count, int at)
{
    for (int i = at; i < count; i++) // fault: wrong loop bound, i < count - 1
        marks[i] = marks[i + 1];
    return count - 1;
}

int main(int argc, char **argv)
{
    int count = argc - 1;
    if (count < 2) {
        fprintf(stderr, "usage: average MARK MARK...\n");
        return 2;
    }

    int *marks = malloc(count * sizeof *marks);
    if (!marks)
        return 2;
    for (int i = 0; i < count; i++)
        marks[i] = atoi(argv[i + 1]);

    count = drop(marks, count, lowest(marks, count));

    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += marks[i];
    printf("average of the best %d: %.1f\n", count, (double)sum / count);
    free(marks);
    return 0;
}
