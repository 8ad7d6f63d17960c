#include <stdio.h>
#include <stdlib.h>

static int ready;
static const char *mode = "none";
__attribute__((constructor)) static void before(void)
{
    ready = 42;
    mode = "constructed";
    puts("constructor");
}
__attribute__((destructor)) static void after(void) { printf("destructor ready=%d\n", ready); }
static void at_end(void) { ready++; puts("atexit"); }

int main(void)
{
    printf("main %d %s\n", ready, mode);
    atexit(at_end);
    return ready % 10;
}
