/* Terms: numbers, + - * and parentheses; an expression a line, its value printed. Where nodes are exhausted (`LARGEST` in one
   expression), the constructor says so with a null pointer that nobody looks at. Each run adds a byte to the file that
   RUNS names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 24 };

struct node {
    char kind;
    long value;
    struct node *left, *right;
};

static struct node nodes[LARGEST];
static int used;
static const char *at;

static void count_run(void)
{
    const char *path = getenv("RUNS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fputc('.', file);
        fclose(file);
    }
}

static struct node *make(char kind, struct node *left, struct node *right)
{
    if (used == LARGEST)
        return NULL;
    struct node *node = &nodes[used++];
    *node = (struct node){.kind = kind, .left = left, .right = right};
    return node;
}

static struct node *sum(void);

static void skip(void)
{
    while (*at == ' ')
        at++;
}

static struct node *factor(void)
{
    struct node *node;
    skip();
    if (*at == '(') {
        at++;
        node = sum();
        if (*at == ')')
            at++;
    } else {
        node = make('n', NULL, NULL);
        for (; isdigit((unsigned char)*at); at++)
            node->value = node->value * 10 % 100000 + (*at - '0');
    }
    skip();
    return node;
}

static struct node *product(void)
{
    struct node *left = factor();
    while (*at == '*') {
        at++;
        left = make('*', left, factor());
    }
    return left;
}

static struct node *sum(void)
{
    struct node *left = product();
    while (*at == '+' || *at == '-') {
        char kind = *at++;
        left = make(kind, left, product());
    }
    return left;
}

static long value(const struct node *node)
{
    switch (node->kind) {
    case '+':
        return (value(node->left) + value(node->right)) % 100000;
    case '-':
        return value(node->left) - value(node->right);
    case '*':
        return value(node->left) * value(node->right) % 100000;
    default:
        return node->value;
    }
}

int main(void)
{
    static char line[4096];
    count_run();
    while (fgets(line, sizeof line, stdin)) {
        used = 0;
        at = line;
        printf("%ld\n", value(sum()));
    }
    return 0;
}
