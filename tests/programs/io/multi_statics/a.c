#include "counter.h"

static int value = 100;
static int helper(void) { return value += 10; }
int helper_a(void) { return helper(); }
int shared = 7;
int tentative;
