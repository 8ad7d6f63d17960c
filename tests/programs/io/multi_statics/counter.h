#ifndef COUNTER_H
#define COUNTER_H
#define SQUARE(x) ((x) * (x))
extern int shared, tentative;
extern const char *const label;
int helper_a(void);
int helper_b(void);
#endif
