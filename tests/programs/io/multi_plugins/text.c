#include <ctype.h>
#include <string.h>
#include "plugin.h"

static int n_upper, n_rev, n_trim;
static void upper(char *s) { n_upper++; for (; *s; s++) *s = toupper((unsigned char)*s); }
static void rev(char *s)
{
    n_rev++;
    for (char *e = s + strlen(s); s < e--; s++) { char t = *s; *s = *e; *e = t; }
}
static void trim(char *s)
{
    n_trim++;
    size_t lead = strspn(s, " "), n = strlen(s + lead);
    memmove(s, s + lead, n + 1);
    while (n && s[n - 1] == ' ') s[--n] = 0;
}
const struct plugin plug_upper = { "upper", upper, &n_upper };
const struct plugin plug_rev = { .run = rev, .name = "rev", .uses = &n_rev };
const struct plugin plug_trim = { "trim", trim, &n_trim };
