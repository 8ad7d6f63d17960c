#ifndef PLUGIN_H
#define PLUGIN_H
struct plugin { const char *name; void (*run)(char *); int *uses; };
extern const struct plugin *const plugins[];
const struct plugin *find_plugin(const char *name);
#endif
