#include <stdio.h>
#include <stdlib.h>
#include "shape.h"

struct circle { struct shape base; double r; };
struct rect { struct shape base; double w, h; };

static double c_area(const struct shape *s) { double r = ((const struct circle *)s)->r; return 3.14159265358979 * r * r; }
static void c_scale(struct shape *s, double k) { ((struct circle *)s)->r *= k; }
static void c_desc(const struct shape *s, char *b, size_t n) { snprintf(b, n, "circle #%d r=%g", s->id, ((const struct circle *)s)->r); }
static double r_area(const struct shape *s) { const struct rect *r = (const struct rect *)s; return r->w * r->h; }
static void r_scale(struct shape *s, double k) { struct rect *r = (struct rect *)s; r->w *= k; r->h *= k; }
static void r_desc(const struct shape *s, char *b, size_t n)
{
    const struct rect *r = (const struct rect *)s;
    snprintf(b, n, "%s #%d %gx%g", r->w == r->h ? "square" : "rect", s->id, r->w, r->h);
}
static const struct shape_ops c_ops = { c_area, c_scale, c_desc }, r_ops = { r_area, r_scale, r_desc };
static int next_id = 1;

struct shape *circle_new(double r)
{
    struct circle *c = malloc(sizeof *c);
    *c = (struct circle){ { &c_ops, next_id++ }, r };
    return &c->base;
}
struct shape *rect_new(double w, double h)
{
    struct rect *r = malloc(sizeof *r);
    *r = (struct rect){ { &r_ops, next_id++ }, w, h };
    return &r->base;
}
void shape_free(struct shape *s) { free(s); }
