#include <stdio.h>
#include <string.h>

struct name { char s[12]; };
struct rec { struct name n; int *ptr; int arr[3]; };

static void modify(struct rec r) { r.arr[0] = 99; *r.ptr += 1; strcpy(r.n.s, "changed"); }
static struct rec change(struct rec r) { r.arr[1] = 55; return r; }
static struct name upper(struct name n) { for (char *p = n.s; *p; p++) if (*p >= 'a' && *p <= 'z') *p -= 32; return n; }

int main(void)
{
    int shared = 1;
    struct rec a = { { "alpha" }, &shared, { 1, 2, 3 } }, b = a, *p = &b;
    b.arr[0] = 10;
    b.n = (struct name){ "beta" };
    modify(a);
    printf("%s %d %d | %s %d\n", a.n.s, a.arr[0], *a.ptr, b.n.s, b.arr[0]);
    printf("%d %s\n", change(a).arr[1], upper(p->n).s);
    *p = change(*p);
    printf("%d %d\n", a.arr[1], b.arr[1]);
    struct rec v[3] = { a, b };
    v[2] = v[0];
    v[0] = *p;
    printf("%s %s %s\n", v[0].n.s, v[1].n.s, v[2].n.s);
    struct { struct rec r[2]; } box = { { a, b } }, copy;
    copy = box;
    copy.r[1].n.s[0] = 'X';
    printf("%s %s\n", box.r[1].n.s, copy.r[1].n.s);
    *box.r[0].ptr = 70;
    printf("%d %d\n", shared, *copy.r[1].ptr);
    printf("%c\n", upper((struct name){ "xyz" }).s[1]);
    return 0;
}
