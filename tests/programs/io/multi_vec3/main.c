#include <stdio.h>
#include "vec.h"

int main(void)
{
    struct vec3 a = vec(1, 2, 3), b = vec(-2, 0.5, 4);
    struct vec3 r[] = { add(a, b), sub(a, b), cross(a, b), scale(a, 2.5), unit(b) };
    for (int i = 0; i < 5; i++)
        printf("%.4f %.4f %.4f\n", r[i].x, r[i].y, r[i].z);
    printf("%.4f %.4f\n", dot(a, b), length(a));
    struct ray ray = { vec(0, 0, -5), vec(0, 0, 1) };
    struct hit h = sphere_hit(ray, (struct sphere){ vec(0, 0.5, 0), 2 });
    printf("%d %.4f (%.4f %.4f %.4f)\n", h.ok, h.t, h.at.x, h.at.y, h.at.z);
    h = sphere_hit(ray, (struct sphere){ vec(9, 9, 9), 1 });
    printf("%d\n", h.ok);
    return 0;
}
