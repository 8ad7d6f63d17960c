#include <stdio.h>
#include <string.h>
#include <ctype.h>
#include <stdlib.h>

struct entry { char *section, *key, *value; struct entry *next; };
static struct entry *head, **tail = &head;

static char *trim(char *s)
{
    while (isspace((unsigned char)*s)) s++;
    char *e = s + strlen(s);
    while (e > s && isspace((unsigned char)e[-1])) e--;
    *e = 0;
    return s;
}
static const char *get(const char *s, const char *k, const char *def)
{
    for (struct entry *e = head; e; e = e->next)
        if (!strcasecmp(e->section, s) && !strcasecmp(e->key, k))
            return e->value;
    return def;
}
int main(void)
{
    char line[128], section[32] = "global";
    int no = 0;
    while (fgets(line, sizeof line, stdin)) {
        no++;
        line[strcspn(line, ";#")] = 0;
        char *s = trim(line), *eq;
        if (!*s) continue;
        if (*s == '[') {
            s[strcspn(s, "]")] = 0;
            snprintf(section, sizeof section, "%s", trim(s + 1));
        } else if ((eq = strchr(s, '='))) {
            *eq = 0;
            struct entry *e = malloc(sizeof *e);
            *e = (struct entry){ strdup(section), strdup(trim(s)), strdup(trim(eq + 1)), NULL };
            *tail = e;
            tail = &e->next;
        } else
            printf("line %d: cannot parse '%s'\n", no, s);
    }
    for (struct entry *e = head; e; e = e->next)
        printf("[%s] %s = '%s'\n", e->section, e->key, e->value);
    printf("port %d\n", atoi(get("SERVER", "port", "80")));
    printf("user %s\n", get("client", "USER", "nobody"));
    printf("none %s\n", get("client", "missing", "default"));
    while (head) {
        struct entry *e = head;
        head = e->next;
        free(e->section); free(e->key); free(e->value); free(e);
    }
    return 0;
}
