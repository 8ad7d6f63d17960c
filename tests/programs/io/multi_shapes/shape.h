#ifndef SHAPE_H
#define SHAPE_H
#include <stddef.h>
struct shape;
struct shape_ops {
    double (*area)(const struct shape *);
    void (*scale)(struct shape *, double);
    void (*describe)(const struct shape *, char *, size_t);
};
struct shape { const struct shape_ops *ops; int id; };
struct shape *circle_new(double r);
struct shape *rect_new(double w, double h);
void shape_free(struct shape *);
#endif
