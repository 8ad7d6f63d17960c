#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

static const char *setting(const char *name, const char *fallback)
{
    const char *v = getenv(name);
    return v ? v : fallback;
}
int main(void)
{
    printf("%s\n", setting("FAULTLINE_TEST_SURELY_UNSET", "fallback"));
    assert(getenv("FAULTLINE_TEST_SURELY_UNSET") == NULL);
    assert(1 + 1 == 2);
    int n = atoi(setting("FAULTLINE_TEST_COUNT_UNSET", "3"));
    assert(n == 3 && "default count");
    while (n--)
        puts("tick");
    return EXIT_SUCCESS;
}
