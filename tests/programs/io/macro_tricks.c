#include <stdio.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define FOREACH(it, arr) for (size_t it = 0; it < ARRAY_LEN(arr); ++it)
#define MIN3(a, b, c) ((a) < (b) ? ((a) < (c) ? (a) : (c)) : ((b) < (c) ? (b) : (c)))
#define DEFER_BLOCK(begin, end) for (int once_ = (begin, 1); once_; once_ = (end, 0))
#define UNLESS(c) if (!(c))
#define STRINGIZE(...) #__VA_ARGS__
#define APPLY(m, ...) m(__VA_ARGS__)
#define SQUARE(x) ((x) * (x))
#define BAD_SQUARE(x) x * x
#define EMPTY
#define ID(x) x
#define TYPED_LIST(T) struct list_##T { T items[4]; int n; }; \
    static void push_##T(struct list_##T *l, T v) { l->items[l->n++] = v; } \
    static T last_##T(const struct list_##T *l) { return l->items[l->n - 1]; }
TYPED_LIST(int)
TYPED_LIST(double)

#undef ID
#define ID(x) (x + 1)

int main(void)
{
    int v[] = { 5, 3, 8, 1 };
    FOREACH(i, v)
        printf("%d ", SQUARE(v[i]));
    putchar('\n');
    printf("%d %d\n", MIN3(4, 2, 3), MIN3(v[0], v[1], v[3]));
    DEFER_BLOCK(puts("begin"), puts("end"))
        puts("body");
    UNLESS(v[0] == 6) puts("unless");
    puts(STRINGIZE(a, b + "c\n", 'd'));
    printf("%d %d\n", SQUARE(1 + 2), BAD_SQUARE(1 + 2));
    printf("%d\n", APPLY(MIN3, 9, 8, 7));
    printf("%d EMPTY %d\n", EMPTY 1, ID(ID(1)));
    struct list_int li = { .n = 0 };
    struct list_double ld = { .n = 0 };
    push_int(&li, 4); push_int(&li, 5); push_double(&ld, 2.5);
    printf("%d %g\n", last_int(&li), last_double(&ld));
    printf("%d %s\n", __LINE__ > 30, __func__);
#line 1000 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    printf("%d\n", __COUNTER__ + __COUNTER__);
    return 0;
}
