#include <stdio.h>

static volatile unsigned reg[4];
static unsigned poll(volatile unsigned *r) { *r += 1; return *r; }

int main(void)
{
    volatile int spin = 0;
    while (spin < 5)
        spin++;
    for (int i = 0; i < 4; i++)
        reg[i] = poll(&reg[i]) + i;
    (void)reg[2];
    printf("%d %u %u\n", spin, reg[0], reg[3]);
    volatile struct { int a, b; } s = { 1, 2 };
    s.a = s.b;
    printf("%d\n", s.a);
    int plain = 3;
    volatile int *vp = &plain;
    *vp = *vp * *vp;
    printf("%d\n", plain);
    return 0;
}
