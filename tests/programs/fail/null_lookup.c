#include <stdio.h>
#include <string.h>

struct user { const char *name; int age; };
static struct user users[] = { { "ann", 30 }, { "bob", 40 } };

static struct user *find(const char *n)
{
    for (int i = 0; i < 2; i++)
        if (!strcmp(users[i].name, n))
            return &users[i];
    return NULL;
}

int main(void)
{
    printf("%d\n", find("bob")->age);
    printf("%d\n", find("eve")->age); //~ null-dereference
    return 0;
}
