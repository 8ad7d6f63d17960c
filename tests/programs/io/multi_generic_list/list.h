#ifndef LIST_H
#define LIST_H
#include <stddef.h>
struct list;
struct list *list_new(size_t size);
void list_add(struct list *, const void *);
void *list_at(struct list *, size_t);
void list_each(struct list *, void (*)(void *, void *), void *);
void list_sort(struct list *, int (*)(const void *, const void *));
void list_free(struct list *);
#endif
