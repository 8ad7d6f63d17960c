#include <stdio.h>
#include <string.h>

struct buf { char s[64]; int n; };
typedef struct buf (*stage)(struct buf);
struct pipeline { stage st[4]; const char *name[4]; };

static struct buf make(const char *s) { struct buf b = { .n = (int)strlen(s) }; strcpy(b.s, s); return b; }
static struct buf dbl(struct buf b) { memcpy(b.s + b.n, b.s, b.n); b.n *= 2; b.s[b.n] = 0; return b; }
static struct buf rev(struct buf b) { for (int i = 0, j = b.n - 1; i < j; i++, j--) { char t = b.s[i]; b.s[i] = b.s[j]; b.s[j] = t; } return b; }
static struct buf up(struct buf b) { for (int i = 0; i < b.n; i++) if (b.s[i] >= 'a') b.s[i] -= 32; return b; }
static struct pipeline standard(void) { return (struct pipeline){ { dbl, rev, up }, { "dbl", "rev", "up" } }; }
static stage pick(int i) { return standard().st[i % 3]; }

int main(void)
{
    struct buf b = make("abc");
    struct pipeline p = standard();
    for (int i = 0; p.st[i]; i++) {
        b = p.st[i](b);
        printf("%s: %s %d\n", p.name[i], b.s, b.n);
    }
    printf("%s\n", up(rev(dbl(make("xy")))).s);
    printf("%d\n", pick(0)(pick(1)(make("hey"))).n);
    printf("%c\n", standard().name[1][2]);
    struct buf copies[2] = { b, make("z") };
    copies[1] = dbl(copies[0] = rev(copies[0]));
    printf("%s %s\n", copies[0].s, copies[1].s);
    return 0;
}
