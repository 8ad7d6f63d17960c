#include <stdio.h>

int real_value(int x) { return x * 3; }
int alias_value(int x) __attribute__((alias("real_value")));
__attribute__((weak)) int optional(int x) { return x + 1; }
extern int missing(int) __attribute__((weak));
static int counter __attribute__((section("mydata"))) = 9;
int visible_global = 4;
extern int global_alias __attribute__((alias("visible_global")));

int main(void)
{
    printf("%d %d\n", real_value(5), alias_value(6));
    printf("%d\n", optional(1));
    printf("%s\n", missing ? "present" : "absent");
    counter += 2;
    visible_global += counter;
    printf("%d %d\n", visible_global, global_alias);
    return 0;
}
