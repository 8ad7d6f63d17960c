#pragma once
struct vec3 { double x, y, z; };
struct ray { struct vec3 from, dir; };
struct sphere { struct vec3 centre; double radius; };
struct hit { int ok; double t; struct vec3 at; };
static inline struct vec3 vec(double x, double y, double z) { return (struct vec3){ x, y, z }; }
struct vec3 add(struct vec3, struct vec3), sub(struct vec3, struct vec3), cross(struct vec3, struct vec3);
struct vec3 scale(struct vec3, double), unit(struct vec3);
double dot(struct vec3, struct vec3), length(struct vec3);
struct hit sphere_hit(struct ray, struct sphere);
