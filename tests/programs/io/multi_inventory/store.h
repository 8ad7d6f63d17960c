#ifndef STORE_H
#define STORE_H
#include <stddef.h>
#define STATUSES(S) S(OK, "ok") S(BAD_COMMAND, "bad command") S(BAD_AMOUNT, "bad amount") \
    S(FULL, "store full") S(MISSING, "no such item") S(TOO_FEW, "not enough")
enum status {
#define S(id, text) id,
    STATUSES(S)
#undef S
};
enum { STORE_MAX = 4 };
struct entry { char name[12]; int qty; };
struct store { struct entry e[STORE_MAX]; size_t used; };
#define STORE_INIT { .used = 0 }
enum status store_add(struct store *, const char *, int), store_take(struct store *, const char *, int);
void store_list(const struct store *);
const char *status_text(enum status);
#endif
