#include <stdio.h>
#include <string.h>

typedef struct machine M;
typedef void (*state)(M *, const char *);
struct machine { state now; int credit, sold[3], choice; int stock[3]; };
static const struct { const char *name; int price; } goods[3] = { { "tea", 60 }, { "cola", 120 }, { "water", 45 } };

static void idle(M *, const char *), paying(M *, const char *), vending(M *, const char *);

static int coin(const char *s)
{
    static const int ok[] = { 5, 10, 20, 50, 100 };
    int v;
    if (sscanf(s, "coin%d", &v) != 1)
        return 0;
    for (int i = 0; i < 5; i++)
        if (ok[i] == v)
            return v;
    printf("rejected %d\n", v);
    return 0;
}
static void refund(M *m)
{
    static const int c[] = { 100, 50, 20, 10, 5 };
    printf("change %d:", m->credit);
    for (int i = 0; i < 5; i++)
        while (m->credit >= c[i]) {
            printf(" %d", c[i]);
            m->credit -= c[i];
        }
    putchar('\n');
    m->now = idle;
}
static void idle(M *m, const char *e)
{
    int v = coin(e);
    if (v) {
        m->credit += v;
        m->now = paying;
    } else
        printf("insert coins (%s ignored)\n", e);
}
static void paying(M *m, const char *e)
{
    int v = coin(e);
    m->credit += v;
    if (!strcmp(e, "refund"))
        refund(m);
    for (int i = 0; i < 3; i++)
        if (!strcmp(e, goods[i].name)) {
            if (m->credit < goods[i].price)
                printf("need %d more\n", goods[i].price - m->credit);
            else if (!m->stock[i])
                puts("sold out");
            else {
                m->choice = i;
                m->now = vending;
                m->now(m, "");
            }
        }
}
static void vending(M *m, const char *e)
{
    printf("here is %s\n", goods[m->choice].name);
    m->credit -= goods[m->choice].price;
    m->stock[m->choice]--;
    m->sold[m->choice]++;
    refund(m);
}
int main(void)
{
    M m = { .now = idle, .stock = { 1, 2, 3 } };
    char e[16];
    while (scanf("%15s", e) == 1)
        m.now(&m, e);
    int income = 0;
    for (int i = 0; i < 3; i++)
        income += m.sold[i] * goods[i].price;
    printf("income %d credit %d\n", income, m.credit);
    return income & 0xff;
}
