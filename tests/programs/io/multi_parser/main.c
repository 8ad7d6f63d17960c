#include <stdio.h>
#include <string.h>
#include "ast.h"

int main(void)
{
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        struct ast *t = parse(line);
        if (!t) { printf("%s: syntax error\n", line); continue; }
        ast_print(t);
        printf(" = %ld, depth %d\n", ast_eval(t), ast_depth(t));
        ast_free(t);
    }
    return 0;
}
