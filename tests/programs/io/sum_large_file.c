#include <stdio.h>
#include <stdlib.h>

struct stats { long n; double sum, min, max; };
static void feed(struct stats *s, double v)
{
    if (!s->n++ || v < s->min) s->min = v;
    if (s->n == 1 || v > s->max) s->max = v;
    s->sum += v;
}
int main(void)
{
    FILE *f = fopen("numbers_scratch.txt", "w");
    if (!f)
        return 1;
    unsigned x = 1;
    for (int i = 0; i < 800; i++) {
        x = x * 69069u + 1u;
        fprintf(f, "%d.%02u%s", (int)(x >> 20) - 2048, x % 100, i % 10 == 9 ? "\n" : " ");
    }
    fclose(f);
    f = fopen("numbers_scratch.txt", "r");
    struct stats s = { 0 };
    double v;
    while (fscanf(f, "%lf", &v) == 1)
        feed(&s, v);
    printf("%ld %.2f %.2f %.2f %.4f\n", s.n, s.sum, s.min, s.max, s.sum / s.n);
    rewind(f);
    char word[32];
    int words = 0;
    while (fscanf(f, "%31s", word) == 1)
        words++;
    printf("%d %s\n", words, word);
    fclose(f);
    return remove("numbers_scratch.txt");
}
