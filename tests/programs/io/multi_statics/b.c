#include "counter.h"
#include "counter.h"

static int value;
static int helper(void) { static int calls; return value += ++calls; }
int helper_b(void) { return helper() + shared; }
const char *const label = "from b";
