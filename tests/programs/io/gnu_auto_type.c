#include <stdio.h>

#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })
#define FIND(arr, n, want) ({ __label__ out; int at_ = -1; for (int i_ = 0; i_ < (n); i_++) \
    if ((arr)[i_] == (want)) { at_ = i_; goto out; } out: at_; })

static struct pt { int x, y; } mk(int x, int y) { return (struct pt){ x, y }; }

int main(void)
{
    __auto_type i = 5;
    __auto_type d = 2.5f;
    __auto_type p = mk(3, 4);
    __auto_type q = &p;
    q->x++;
    printf("%d %g %d %d %zu\n", i, d, p.x, q->y, sizeof d);
    printf("%d %g %ld\n", MAX(3, 4), MAX(1.5, 2), MAX(5L, 2));
    int v[] = { 5, 8, 13, 21 };
    printf("%d %d %d\n", FIND(v, 4, 13), FIND(v, 4, 7), FIND("abc", 3, 'b'));
    int bin = 0b101101;
    printf("%d %d\n", bin, 0B11 << 2);
    printf("%s\n", __FUNCTION__);
    return 0;
}
