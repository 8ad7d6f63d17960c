#include <stdio.h>
#include <string.h>

struct pt { double x, y; };
static double dist2(struct pt a, struct pt b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }
static int sum(const int *v) { int s = 0; while (*v >= 0) s += *v++; return s; }
static int *const global = (int[]){ 3, 1, 4, 1, 5 };
static void scale(struct pt *p, double k) { p->x *= k; p->y *= k; }
#define SUM(...) sum((int[]){ __VA_ARGS__, -1 })

int main(void)
{
    printf("%g\n", dist2((struct pt){ 1, 2 }, (struct pt){ .y = 5, .x = 4 }));
    printf("%d %d\n", SUM(1, 2, 3), SUM(10));
    global[2] = 40;
    printf("%d %d\n", global[2], global[4]);
    struct pt *p = &(struct pt){ 1.5, -2.5 };
    scale(p, 2);
    printf("%g %g\n", p->x, p->y);
    char *s = (char[]){ "mutable" };
    s[0] = 'M';
    printf("%s %zu\n", s, strlen(s));
    int total = 0;
    for (int i = 0; i < 4; i++) {
        int *q = (int[2]){ i };
        q[1] += i * 10;
        total += q[0] + q[1];
    }
    printf("%d\n", total);
    printf("%d\n", (int){ 5 } + *(int[]){ 6, 7 });
    printf("%s\n", (const char *[]){ "a", "b", "c" }[1]);
    union u { int i; char c[4]; };
    printf("%c\n", ((union u){ .c = "xyz" }).c[1]);
    struct pt arr[] = { (struct pt){ 1, 1 }, (struct pt){ 2, 2 } };
    *p = arr[1];
    printf("%g\n", p->x + arr[0].y);
    return 0;
}
