#ifndef AST_H
#define AST_H
struct ast { char op; long value; struct ast *kid[2]; };
struct ast *parse(const char *);
void ast_print(const struct ast *);
long ast_eval(const struct ast *);
int ast_depth(const struct ast *);
void ast_free(struct ast *);
#endif
