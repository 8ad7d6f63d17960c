#include <stdio.h>
#include "shape.h"

int main(void)
{
    struct shape *all[8];
    int n = 0;
    char kind;
    double a, b;
    while (n < 8 && scanf(" %c %lf", &kind, &a) == 2) {
        if (kind == 'c')
            all[n++] = circle_new(a);
        else if (scanf("%lf", &b) == 1)
            all[n++] = rect_new(a, b);
    }
    double total = 0;
    for (int i = 0; i < n; i++) {
        char buf[40];
        all[i]->ops->describe(all[i], buf, sizeof buf);
        printf("%s area %.3f\n", buf, all[i]->ops->area(all[i]));
        total += all[i]->ops->area(all[i]);
        all[i]->ops->scale(all[i], 2);
    }
    printf("total %.3f\n", total);
    for (int i = 0; i < n; i++) {
        printf("%.3f ", all[i]->ops->area(all[i]));
        shape_free(all[i]);
    }
    puts("");
    return n;
}
