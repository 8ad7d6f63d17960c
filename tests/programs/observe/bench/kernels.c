/* Integer kernels in tight loops: a sieve, a heap sort, a checksum by table, greatest common divisors. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 200000, ITEMS = 60000 };

static unsigned char composite[NUMBERS];
static uint32_t items[ITEMS], table[256], state = 2463534242u;

static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static int count_primes(void)
{
    int primes = 0;
    memset(composite, 0, sizeof composite);
    for (int i = 2; i < NUMBERS; i++) {
        if (composite[i])
            continue;
        primes++;
        for (long j = (long)i * i; j < NUMBERS; j += i)
            composite[j] = 1;
    }
    return primes;
}

static void sift_down(int root, int end)
{
    while (2 * root + 1 < end) {
        int child = 2 * root + 1;
        if (child + 1 < end && items[child] < items[child + 1])
            child++;
        if (items[root] >= items[child])
            return;
        uint32_t other = items[root];
        items[root] = items[child];
        items[child] = other;
        root = child;
    }
}

static void heap_sort(void)
{
    for (int i = ITEMS / 2 - 1; i >= 0; i--)
        sift_down(i, ITEMS);
    for (int end = ITEMS - 1; end > 0; end--) {
        uint32_t largest = items[0];
        items[0] = items[end];
        items[end] = largest;
        sift_down(0, end);
    }
}

static void make_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t rest = i;
        for (int bit = 0; bit < 8; bit++)
            rest = rest & 1 ? rest >> 1 ^ 0xedb88320u : rest >> 1;
        table[i] = rest;
    }
}

static uint32_t checksum(const void *from, size_t length)
{
    const unsigned char *bytes = from;
    uint32_t sum = 0xffffffffu;
    for (size_t i = 0; i < length; i++)
        sum = table[(sum ^ bytes[i]) & 0xff] ^ sum >> 8;
    return ~sum;
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    uint32_t sum = 0;
    make_table();
    for (int round = 0; round < rounds; round++) {
        sum += (uint32_t)count_primes();
        for (int i = 0; i < ITEMS; i++)
            items[i] = next_random();
        heap_sort();
        sum ^= checksum(items, sizeof items);
        for (int i = 0; i < ITEMS; i++)
            sum += divisor(items[i], 30030u + (uint32_t)i);
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
