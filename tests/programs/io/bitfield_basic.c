#include <stdio.h>

struct date { unsigned day : 5; unsigned month : 4; unsigned year : 12; int tz : 6; };
struct mix { signed a : 3; unsigned b : 3; _Bool c : 1; long long d : 40; unsigned char e : 4; };
struct zero { unsigned a : 3; unsigned : 0; unsigned b : 3; unsigned : 5; unsigned c : 8; };

static struct date make(int d, int m, int y, int tz)
{
    struct date r = { d, m, y, tz };
    return r;
}

int main(void)
{
    struct date d = make(31, 12, 2023, -5);
    printf("%d-%d-%d %d (%zu)\n", d.day, d.month, d.year, d.tz, sizeof d);
    d.day++;
    d.month += 5;
    d.year = 5000;
    printf("%d %d %d %d\n", d.day, d.month, d.year, d.tz);
    struct mix m = { 0 };
    for (int i = 0; i < 10; i++) {
        m.a = i; m.b = i; m.c = i & 1; m.d = -(1LL << 3 * i); m.e = i * 3;
        printf("%d %d %d %lld %d\n", m.a, m.b, m.c, (long long)m.d, m.e);
    }
    struct zero z = { 5, 6, 250 };
    z.c += 10;
    z.a--;
    z.b ^= 7;
    printf("%u %u %u %zu\n", z.a, z.b, z.c, sizeof z);
    printf("%d\n", (m.b = 12) + 1);
    printf("%d\n", m.a-- > m.b++);
    return 0;
}
