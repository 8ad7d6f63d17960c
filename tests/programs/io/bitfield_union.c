#include <stdio.h>
#include <string.h>

union word {
    unsigned v;
    struct { unsigned lo : 8, mid : 16, hi : 8; } f;
    struct { unsigned b0 : 1, b1 : 1, rest : 30; } b;
    unsigned char bytes[4];
};

union ieee {
    float f;
    struct { unsigned frac : 23, exp : 8, sign : 1; } p;
};

union wide {
    double d;
    struct { unsigned long frac : 52; unsigned long exp : 11; unsigned long sign : 1; } p;
};

int main(void)
{
    union word w = { .v = 0x12345678 };
    printf("%x %x %x\n", w.f.lo, w.f.mid, w.f.hi);
    w.f.mid = 0xbeef;
    printf("%08x %02x%02x%02x%02x\n", w.v, w.bytes[0], w.bytes[1], w.bytes[2], w.bytes[3]);
    w.b.b0 = 1;
    w.b.rest ^= 1;
    printf("%08x\n", w.v);
    float fs[] = { 1.0f, -2.5f, 0.1f, 1e20f };
    for (int i = 0; i < 4; i++) {
        union ieee u = { fs[i] };
        printf("%u %u %06x\n", u.p.sign, u.p.exp, u.p.frac);
        u.p.exp++;
        printf("  doubled %g\n", u.f);
    }
    union wide q = { 3.14159 };
    printf("%lu %lu %013lx\n", (unsigned long)q.p.sign, (unsigned long)q.p.exp, (unsigned long)q.p.frac);
    q.p.sign = 1;
    q.p.frac = 0;
    printf("%g\n", q.d);
    return 0;
}
