#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdlib.h>

static uint32_t load(const void *p) { uint32_t v; memcpy(&v, p, sizeof v); return v; }
static void store(void *p, uint32_t v) { memcpy(p, &v, sizeof v); }

int main(void)
{
    unsigned char buf[11];
    for (int i = 0; i < 11; i++)
        buf[i] = (unsigned char)i;
    for (int off = 0; off < 8; off += 3)
        printf("%08x ", load(buf + off));
    putchar('\n');
    store(buf + 5, 0xcafebabe);
    printf("%02x %02x\n", buf[5], buf[8]);
    float f = 0.5f;
    printf("%08x\n", load(&f));
    int *p = malloc(sizeof(int)), *q = p;
    if (!p)
        return 1;
    *p = 1;
    int **pp = &q, **copy;
    memcpy(&copy, &pp, sizeof pp);
    **copy = 77;
    printf("%d\n", *p);
    unsigned char image[sizeof p];
    for (size_t i = 0; i < sizeof p; i++)
        image[i] = ((unsigned char *)&p)[i];
    int *r;
    memcpy(&r, image, sizeof r);
    printf("%d\n", *r);
    free(r);
    return 0;
}
