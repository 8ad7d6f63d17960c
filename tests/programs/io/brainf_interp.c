#include <stdio.h>
#include <string.h>

static unsigned char tape[300];
static short jump[512];

static int link_brackets(const char *p)
{
    int stack[32], n = 0;
    for (int i = 0; p[i]; i++)
        if (p[i] == '[') {
            if (n == 32) return -1;
            stack[n++] = i;
        } else if (p[i] == ']') {
            if (!n) return -1;
            int o = stack[--n];
            jump[o] = i;
            jump[i] = o;
        }
    return n ? -1 : 0;
}
static long run(const char *p, const char *input)
{
    long steps = 0;
    unsigned at = 0;
    memset(tape, 0, sizeof tape);
    for (int i = 0; p[i] && steps < 100000; i++, steps++)
        switch (p[i]) {
        case '>': at = (at + 1) % sizeof tape; break;
        case '<': at = (at + sizeof tape - 1) % sizeof tape; break;
        case '+': tape[at]++; break;
        case '-': tape[at]--; break;
        case '.': putchar(tape[at]); break;
        case ',': tape[at] = *input ? *input++ : 0; break;
        case '[': if (!tape[at]) i = jump[i]; break;
        case ']': if (tape[at]) i = jump[i]; break;
        }
    return steps;
}
int main(void)
{
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *input = strchr(line, '!');
        if (input) *input++ = 0;
        if (link_brackets(line)) {
            puts("unbalanced");
            continue;
        }
        long n = run(line, input ? input : "");
        printf("| %ld steps\n", n);
    }
    return 0;
}
