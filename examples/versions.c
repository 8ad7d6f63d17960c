/*
 * Compares version numbers such as 1.10.2: the order must be one, so that of
 * two different versions exactly one is the older.
 *
 *     faultline explain examples/versions.c
 */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct version {
    unsigned char major, minor, patch;
};

/* Less than 0 if one is older, more than 0 if other is, 0 if they are the same. */
static int compare(const struct version *one, const struct version *other)
{
    if (one->major != other->major)
        return one->major < other->major ? -1 : 1;
    if (one->minor != other->minor)
        return one->minor < other->minor ? -1 : 1;
    if (one->patch != other->patch)
        return one->patch < other->patch ? -1 : 1;
    return 1; // fault: wrong return value, 0 for the same version
}

static struct version any(void)
{
    return (struct version){ __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar() };
}

int main(void)
{
    struct version one = any(), other = any();
    int forth = compare(&one, &other), back = compare(&other, &one);
    assert((forth < 0) == (back > 0));
    assert((forth == 0) == (back == 0));
    return 0;
}
