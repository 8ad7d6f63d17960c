#include <string.h>
#include <stdlib.h>
#include <stddef.h>
#include "config.h"

const struct config config_default = { .width = 80, .ratio = 1.5, .name = "none", .verbose = false };

enum type { T_INT, T_DOUBLE, T_STRING, T_BOOL };
static const struct field { const char *key; enum type type; size_t off, size; } fields[] = {
#define F(k, t) { #k, t, offsetof(struct config, k), sizeof(((struct config *)0)->k) }
    F(width, T_INT), F(height, T_INT), F(ratio, T_DOUBLE), F(name, T_STRING), F(verbose, T_BOOL),
#undef F
};
enum { NFIELDS = sizeof fields / sizeof fields[0] };

int config_read(struct config *c, FILE *in)
{
    char line[100], key[20], val[60];
    int bad = 0;
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, " %19[a-z] = %59[^\n]", key, val) != 2) { bad++; continue; }
        int i = 0;
        while (i < NFIELDS && strcmp(fields[i].key, key)) i++;
        if (i == NFIELDS) { bad++; continue; }
        char *at = (char *)c + fields[i].off;
        switch (fields[i].type) {
        case T_INT: *(int *)at = atoi(val); break;
        case T_DOUBLE: *(double *)at = atof(val); break;
        case T_STRING: snprintf(at, fields[i].size, "%s", val); break;
        case T_BOOL: *(bool *)at = !strcmp(val, "yes") || !strcmp(val, "1"); break;
        }
    }
    return bad;
}
void config_print(const struct config *c)
{
    for (const struct field *f = fields; f < fields + NFIELDS; f++) {
        const char *at = (const char *)c + f->off;
        printf("%s = ", f->key);
        switch (f->type) {
        case T_INT: printf("%d\n", *(const int *)at); break;
        case T_DOUBLE: printf("%g\n", *(const double *)at); break;
        case T_STRING: printf("'%s'\n", at); break;
        case T_BOOL: puts(*(const bool *)at ? "yes" : "no"); break;
        }
    }
}
