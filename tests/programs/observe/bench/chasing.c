/* Pointers: a balanced search tree, a table of chains, and a list that is sorted by merging. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 30000, CHAINS = 4096 };

struct node {
    struct node *left, *right;
    uint32_t key, priority, uses;
};

struct entry {
    struct entry *next;
    uint32_t key, count;
};

struct cell {
    struct cell *next;
    uint32_t value;
};

static uint32_t state = 88172645u;
static struct entry *chains[CHAINS];

static uint32_t next_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 4;
}

static void *get(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        exit(3);
    return memory;
}

static struct node *turn_right(struct node *root)
{
    struct node *left = root->left;
    root->left = left->right;
    left->right = root;
    return left;
}

static struct node *turn_left(struct node *root)
{
    struct node *right = root->right;
    root->right = right->left;
    right->left = root;
    return right;
}

static struct node *insert(struct node *root, uint32_t key)
{
    if (!root) {
        root = get(sizeof *root);
        root->left = root->right = NULL;
        root->key = key;
        root->priority = next_random();
        root->uses = 0;
    } else if (key < root->key) {
        root->left = insert(root->left, key);
        if (root->left->priority > root->priority)
            root = turn_right(root);
    } else if (key > root->key) {
        root->right = insert(root->right, key);
        if (root->right->priority > root->priority)
            root = turn_left(root);
    } else {
        root->uses++;
    }
    return root;
}

static struct node *find(struct node *root, uint32_t key)
{
    while (root && root->key != key)
        root = key < root->key ? root->left : root->right;
    return root;
}

static void drop(struct node *root)
{
    if (!root)
        return;
    drop(root->left);
    drop(root->right);
    free(root);
}

static uint32_t count_key(uint32_t key)
{
    struct entry **link = &chains[key % CHAINS];
    for (struct entry *entry = *link; entry; entry = entry->next)
        if (entry->key == key)
            return ++entry->count;
    struct entry *entry = get(sizeof *entry);
    entry->next = *link;
    entry->key = key;
    entry->count = 1;
    *link = entry;
    return 1;
}

static struct cell *merge(struct cell *one, struct cell *other)
{
    struct cell head = {NULL, 0}, *last = &head;
    while (one && other) {
        struct cell **less = one->value <= other->value ? &one : &other;
        last->next = *less;
        last = *less;
        *less = last->next;
    }
    last->next = one ? one : other;
    return head.next;
}

static struct cell *sort(struct cell *list)
{
    if (!list || !list->next)
        return list;
    struct cell *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct cell *second = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(second));
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    uint32_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        struct node *root = NULL;
        struct cell *list = NULL;
        for (int i = 0; i < KEYS; i++) {
            uint32_t key = next_random() % (2 * KEYS);
            root = insert(root, key);
            sum += count_key(key);
            struct cell *cell = get(sizeof *cell);
            cell->next = list;
            cell->value = key;
            list = cell;
        }
        for (uint32_t key = 0; key < 2 * KEYS; key++) {
            struct node *found = find(root, key);
            sum += found ? found->uses + 1 : 0;
        }
        list = sort(list);
        for (uint32_t place = 1; list; place++) {
            struct cell *next = list->next;
            sum ^= list->value * place;
            free(list);
            list = next;
        }
        drop(root);
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
