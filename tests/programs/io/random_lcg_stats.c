#include <stdio.h>
#include <stdint.h>
#include <math.h>

static uint64_t state = 0x853c49e6748fea9bULL;
static uint32_t pcg(void)
{
    uint64_t old = state;
    state = old * 6364136223846793005ULL + 0xda3e39cb94b95bdbULL;
    uint32_t x = (uint32_t)((old >> 18 ^ old) >> 27), rot = (uint32_t)(old >> 59);
    return x >> rot | x << (-rot & 31);
}
static double gauss(void)
{
    double s = 0;
    for (int i = 0; i < 12; i++)
        s += pcg() / 4294967296.0;
    return s - 6;
}
int main(void)
{
    for (int i = 0; i < 4; i++)
        printf("%08x ", pcg());
    putchar('\n');
    double sum = 0, sq = 0;
    int hist[9] = { 0 };
    for (int i = 0; i < 500; i++) {
        double g = gauss();
        sum += g;
        sq += g * g;
        int b = (int)floor(g + 4.5);
        hist[b < 0 ? 0 : b > 8 ? 8 : b]++;
    }
    double mean = sum / 500;
    printf("mean %.4f sd %.4f\n", mean, sqrt(sq / 500 - mean * mean));
    for (int i = 0; i < 9; i++)
        printf("%+d %.*s %d\n", i - 4, hist[i] / 10, "####################", hist[i]);
    return 0;
}
