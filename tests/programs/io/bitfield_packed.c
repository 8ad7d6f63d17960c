#include <stdio.h>
#include <string.h>
#include <stdint.h>

struct __attribute__((packed)) header {
    uint8_t version : 4, ihl : 4;
    uint16_t length;
    uint32_t id : 20, flags : 12;
    uint64_t seq : 48;
    uint64_t ack : 40;
    int8_t tag : 3;
};
struct span { unsigned a : 20, b : 20, c : 20; };

int main(void)
{
    struct header h;
    memset(&h, 0, sizeof h);
    h.version = 4;
    h.ihl = 15;
    h.length = 0x1234;
    h.id = 0xfffff;
    h.flags = 0xabc;
    h.seq = 0x123456789abcULL;
    h.ack = 0xfedcba9876ULL;
    h.tag = -2;
    unsigned char raw[sizeof h];
    memcpy(raw, &h, sizeof h);
    printf("%zu:", sizeof h);
    for (size_t i = 0; i < sizeof raw; i++)
        printf(" %02x", raw[i]);
    putchar('\n');
    h.seq += 0xffffffffULL;
    h.ack >>= 4;
    h.id -= 1;
    printf("%llx %llx %x %x %d\n", (unsigned long long)h.seq, (unsigned long long)h.ack, h.id, h.flags, h.tag);
    struct span s = { 0xfffff, 0x12345, 0xabcde };
    printf("%zu %x %x %x\n", sizeof s, s.a, s.b, s.c);
    s.b = ~s.b;
    s.a++;
    printf("%x %x %x\n", s.a, s.b, s.c);
    return 0;
}
