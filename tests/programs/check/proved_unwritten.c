// proved
// flags: --no-property uninitialized
// Bytes that were never written stay what they are: two reads agree, and a copy has the same.
#include <assert.h>
#include <string.h>

int main(void)
{
    unsigned char bytes[4], copy[4];
    int i = bytes[0] % 4;
    memcpy(copy, bytes, 4);
    bytes[3] = 5;
    assert(copy[0] == bytes[0] && copy[i] == bytes[i] || i == 3);
    assert(bytes[3] == 5);
    return 0;
}
