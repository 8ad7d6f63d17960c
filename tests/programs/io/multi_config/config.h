#ifndef CONFIG_H
#define CONFIG_H
#include <stdio.h>
#include <stdbool.h>
struct config { int width, height; double ratio; char name[10]; bool verbose; };
extern const struct config config_default;
int config_read(struct config *, FILE *);
void config_print(const struct config *);
#endif
