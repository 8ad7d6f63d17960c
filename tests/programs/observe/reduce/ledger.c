/* A ledger: accounts are opened, filled, linked and closed, a command a line; what is not understood is passed over.
   A link to an account that was closed is followed (`move`). Each run adds a byte to the file that RUNS names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
    char name[16];
    long amount;
    struct account *link;
};

static struct account *accounts[64];

static void count_run(void)
{
    const char *path = getenv("RUNS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fputc('.', file);
        fclose(file);
    }
}

static struct account **find(const char *name)
{
    for (int i = 0; i < 64; i++)
        if (accounts[i] && !strcmp(accounts[i]->name, name))
            return &accounts[i];
    return NULL;
}

static void open_account(const char *name)
{
    if (find(name))
        return;
    for (int i = 0; i < 64; i++)
        if (!accounts[i]) {
            accounts[i] = calloc(1, sizeof **accounts);
            if (accounts[i])
                snprintf(accounts[i]->name, sizeof accounts[i]->name, "%s", name);
            return;
        }
}

/* Links to the account stay: that is the fault. */
static void close_account(struct account **place)
{
    memset(*place, 0, sizeof **place);
    *place = NULL;
}

static void run(const char *command, const char *name, const char *rest)
{
    struct account **place = find(name), **other = find(rest);
    if (!strcmp(command, "open"))
        open_account(name);
    else if (!place)
        return;
    else if (!strcmp(command, "close"))
        close_account(place);
    else if (!strcmp(command, "add"))
        (*place)->amount += strtol(rest, NULL, 10);
    else if (!strcmp(command, "link") && other)
        (*place)->link = *other;
    else if (!strcmp(command, "move") && (*place)->link) {
        struct account **to = find((*place)->link->name);
        (*to)->amount += (*place)->amount;
        (*place)->amount = 0;
    } else if (!strcmp(command, "show"))
        printf("%s %ld\n", (*place)->name, (*place)->amount);
}

int main(void)
{
    char line[256], command[16], name[16], rest[32];
    count_run();
    while (fgets(line, sizeof line, stdin)) {
        command[0] = name[0] = rest[0] = '\0';
        sscanf(line, "%15s %15s %31s", command, name, rest);
        run(command, name, rest);
    }
    return 0;
}
