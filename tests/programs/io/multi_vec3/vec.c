#include <math.h>
#include "vec.h"

struct vec3 add(struct vec3 a, struct vec3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
struct vec3 sub(struct vec3 a, struct vec3 b) { return add(a, scale(b, -1)); }
struct vec3 scale(struct vec3 a, double k) { return vec(a.x * k, a.y * k, a.z * k); }
double dot(struct vec3 a, struct vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct vec3 cross(struct vec3 a, struct vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
double length(struct vec3 a) { return sqrt(dot(a, a)); }
struct vec3 unit(struct vec3 a) { return scale(a, 1 / length(a)); }
struct hit sphere_hit(struct ray r, struct sphere s)
{
    struct vec3 o = sub(r.from, s.centre);
    double b = dot(o, r.dir), c = dot(o, o) - s.radius * s.radius, d = b * b - c;
    if (d < 0)
        return (struct hit){ .ok = 0 };
    double t = -b - sqrt(d);
    return (struct hit){ 1, t, add(r.from, scale(r.dir, t)) };
}
