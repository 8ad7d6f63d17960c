#include <stdio.h>
#include <stdlib.h>

static void shuffle(int *v, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = rand() % (i + 1), t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
}
int main(void)
{
    printf("%d\n", RAND_MAX);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    putchar('\n');
    srand(42);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    putchar('\n');
    srand(1);
    printf("%d\n", rand());
    int deck[12];
    for (int i = 0; i < 12; i++)
        deck[i] = i;
    srand(2024);
    shuffle(deck, 12);
    for (int i = 0; i < 12; i++)
        printf("%d ", deck[i]);
    putchar('\n');
    int hist[6] = { 0 };
    for (int i = 0; i < 600; i++)
        hist[rand() % 6]++;
    for (int i = 0; i < 6; i++)
        printf("%d ", hist[i]);
    putchar('\n');
    unsigned seed = 7;
    int r = rand_r(&seed);
    printf("%d %u\n", r, seed);
    return 0;
}
