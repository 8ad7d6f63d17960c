#include <stdio.h>
#include <string.h>
#include <alloca.h>

static int palindrome(const char *s)
{
    size_t n = strlen(s);
    char *t = alloca(n + 1);
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i] != ' ')
            t[k++] = s[i] | 0x20;
    t[k] = 0;
    for (size_t i = 0; i < k / 2; i++)
        if (t[i] != t[k - 1 - i])
            return 0;
    return 1;
}
struct cell { int v; struct cell *next; };
static int chain(int n)
{
    struct cell *head = NULL;
    for (int i = 0; i < n; i++) {
        struct cell *c = __builtin_alloca(sizeof *c);
        c->v = i;
        c->next = head;
        head = c;
    }
    int s = 0;
    for (; head; head = head->next)
        s = s * 2 + head->v;
    return s;
}
int main(void)
{
    const char *t[] = { "Never odd or even", "hello", "a", "", "Was it a car or a cat I saw" };
    for (int i = 0; i < 5; i++)
        printf("%d %s\n", palindrome(t[i]), t[i]);
    for (int i = 0; i < 12; i += 3)
        printf("%d\n", chain(i));
    return 0;
}
