#include <stdio.h>
#include <string.h>

static int rounds;
static void copy(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    if (count <= 0)
        return;
    switch (count % 8) {
    case 0: do { *to++ = *from++; rounds++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void)
{
    const char *text = "the quick brown fox jumps over the lazy dog";
    char buf[64];
    for (int len = 0; len <= (int)strlen(text); len += 5) {
        memset(buf, '.', sizeof buf);
        copy(buf, text, len);
        buf[len] = 0;
        printf("%2d [%s] %d\n", len, buf, rounds);
    }
    int state = 0, i = 0;
    for (; i < 20; i++)
        switch (state) {
            for (;;) {
        case 0:
                state = 2;
                break;
        case 1:
                i += 2;
                continue;
        case 2:
                state = i > 10 ? 3 : 0;
                if (state)
                    break;
                goto out;
            }
        case 3:
            printf("three at %d\n", i);
        }
out:
    printf("%d %d\n", state, i);
    return 0;
}
