#include <stdio.h>

#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define swap(a, b) do { typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define repeat(n, body) ({ int r_ = 0; for (int i_ = 0; i_ < (n); i_++) r_ += (body); r_; })

static int evals;
static int touch(int v) { evals++; return v; }

int main(void)
{
    printf("%d\n", max(touch(3), touch(9)));
    printf("%d evals\n", evals);
    printf("%g\n", max(1.5, 2));
    int a = 1, b = 2;
    swap(a, b);
    printf("%d %d\n", a, b);
    const char *s = "x", *t = "y";
    swap(s, t);
    printf("%s%s\n", s, t);
    int f = ({
        int n = 10, r = 1;
        while (n > 1)
            r *= n--;
        r;
    });
    printf("%d\n", f);
    printf("%d\n", repeat(5, i_ * i_));
    struct p { int x, y; } q = ({ struct p z = { 3, 4 }; z.x++; z; });
    printf("%d %d\n", q.x, q.y);
    typeof(q) arr[2] = { q, { 9, 8 } };
    typeof(&arr[0]) ptr = arr + 1;
    typeof(int[3]) v = { 1, 2, 3 };
    printf("%d %d %zu\n", ptr->x, v[2], sizeof v);
    int x = 5;
    int y = ({ if (x > 3) goto big; x; });
    printf("not here %d\n", y);
big:
    return ({ x + 1; });
}
