/* Programs that do what diagnosis must survive, by their first argument. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char text[4096];

static void fill_disk(void)
{
    for (int number = 0;; number++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", number);
        int file = open(name, O_WRONLY | O_CREAT, 0666);
        for (int i = 0; i < 512 && file >= 0; i++)
            if (write(file, text, sizeof text) < 0)
                exit(5);
        close(file);
    }
}

/* Twice as many each time, of whom nobody waits for anybody; what stays in the session of its parent can be ended as a group. */
static void fork_forever(int leaves)
{
    for (;;)
        if (fork() == 0 && leaves)
            setsid();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    text[length] = 0;
    if (!strcmp(how, "never"))
        return 0;
    if (!strcmp(how, "always"))
        abort();
    if (!strcmp(how, "hangs") && strstr(text, "two"))
        for (;;)
            pause();
    if (!strcmp(how, "forks"))
        fork_forever(0);
    if (!strcmp(how, "leaves"))
        fork_forever(1);
    if (!strcmp(how, "fills"))
        fill_disk();
    if (!strcmp(how, "varies")) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        return 1 + (int)(now.tv_nsec / 1000 % 120);
    }
    return 0;
}
