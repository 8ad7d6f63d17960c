#include <stdio.h>
#include <string.h>
#include "store.h"

int main(void)
{
    char cmd[12], item[16];
    int qty;
    struct store st = STORE_INIT;
    while (scanf("%11s", cmd) == 1) {
        enum status rc = OK;
        if (!strcmp(cmd, "add") && scanf("%15s %d", item, &qty) == 2) rc = store_add(&st, item, qty);
        else if (!strcmp(cmd, "take") && scanf("%15s %d", item, &qty) == 2) rc = store_take(&st, item, qty);
        else if (!strcmp(cmd, "list")) store_list(&st);
        else rc = BAD_COMMAND;
        if (rc != OK) printf("%s: %s\n", cmd, status_text(rc));
    }
    return st.used;
}
