#include <stddef.h>

struct driver { int (*open)(int); void (*close)(int); };

static int open_it(int fd) { return fd + 1; }

static void use(const struct driver *d)
{
    int fd = d->open(3);
    d->close(fd); //~ bad-call
}

int main(void)
{
    struct driver d = { .open = open_it };
    use(&d);
    return 0;
}
