#include <string.h>
#include "plugin.h"

extern const struct plugin plug_upper, plug_rev, plug_trim;
const struct plugin *const plugins[] = { &plug_upper, &plug_rev, &plug_trim, NULL };
const struct plugin *find_plugin(const char *name)
{
    for (int i = 0; plugins[i]; i++)
        if (strcmp(plugins[i]->name, name) == 0)
            return plugins[i];
    return NULL;
}
