#include <stdio.h>
#include <stdlib.h>

static int depth;
static void first(void) { printf("first registered, runs last, depth %d\n", depth); }
static void second(void) { puts("second"); depth += 10; }
static void nested(void) { puts("nested, registered late"); }
static void third(void) { puts("third"); atexit(nested); depth++; }

static void recurse(int n)
{
    depth = n;
    if (n == 5) {
        fputs("leaving\n", stdout);
        exit(n * 50 + 7);
    }
    recurse(n + 1);
}

int main(void)
{
    atexit(first);
    atexit(second);
    if (atexit(third))
        return 99;
    printf("start ");
    recurse(0);
    puts("not reached");
    return 0;
}
