#include "store.h"

const char *status_text(enum status s)
{
    static const char *const t[] = {
#define S(id, text) [id] = text,
        STATUSES(S)
#undef S
    };
    return t[s];
}
