#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct account { char owner[16]; long cents; int ops; };
static struct account acc[10];
static int naccounts;

static struct account *find(const char *o)
{
    for (int i = 0; i < naccounts; i++)
        if (!strcmp(acc[i].owner, o))
            return &acc[i];
    return NULL;
}
static int cmd_open(const char *a, const char *b, long c)
{
    if (find(a) || naccounts == 10) return 1;
    strncpy(acc[naccounts].owner, a, 15);
    acc[naccounts++].cents = c;
    return 0;
}
static int cmd_deposit(const char *a, const char *b, long c)
{
    struct account *x = find(a);
    if (!x || c <= 0) return 2;
    x->cents += c;
    x->ops++;
    return 0;
}
static int cmd_transfer(const char *a, const char *b, long c)
{
    struct account *x = find(a), *y = find(b);
    if (!x || !y || x == y) return 2;
    if (x->cents < c) return 3;
    x->cents -= c;
    y->cents += c;
    x->ops++;
    y->ops++;
    return 0;
}
int main(void)
{
    static const struct { const char *n; int (*f)(const char *, const char *, long); } cmds[] = {
        { "open", cmd_open }, { "deposit", cmd_deposit }, { "transfer", cmd_transfer } };
    char cmd[16], a[16], b[16];
    double amount;
    int fails = 0;
    while (scanf("%15s %15s %15s %lf", cmd, a, b, &amount) == 4) {
        int rc = 9;
        for (int i = 0; i < 3; i++)
            if (!strcmp(cmd, cmds[i].n))
                rc = cmds[i].f(a, b, (long)(amount * 100 + 0.5));
        if (rc) {
            printf("%s %s failed: %d\n", cmd, a, rc);
            fails++;
        }
    }
    long total = 0;
    for (int i = 0; i < naccounts; total += acc[i++].cents)
        printf("%-8s %6ld.%02ld (%d)\n", acc[i].owner, acc[i].cents / 100, acc[i].cents % 100, acc[i].ops);
    printf("total %ld\n", total);
    return fails;
}
