#include <stdio.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int counter = 5;
static _Atomic unsigned long long wide;
static atomic_flag flag = ATOMIC_FLAG_INIT;
struct node { int v; struct node *next; };
static _Atomic(struct node *) top;

static void push(struct node *n)
{
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}
int main(void)
{
    counter++;
    counter += 10;
    printf("%d\n", counter);
    printf("%d %d\n", atomic_fetch_add(&counter, 4), atomic_load(&counter) > 0);
    printf("%d\n", atomic_exchange(&counter, 100));
    int expect = 99;
    bool ok = atomic_compare_exchange_strong(&counter, &expect, 1);
    printf("%d %d\n", ok, expect);
    ok = atomic_compare_exchange_strong(&counter, &expect, 1);
    printf("%d %d %d\n", ok, expect, counter);
    atomic_fetch_or(&wide, 0xff00000000ULL);
    atomic_fetch_xor(&wide, 0x0f00000001ULL);
    atomic_fetch_sub_explicit(&wide, 1, memory_order_relaxed);
    printf("%llx\n", (unsigned long long)wide);
    bool t1 = atomic_flag_test_and_set(&flag), t2 = atomic_flag_test_and_set(&flag);
    atomic_flag_clear(&flag);
    printf("%d %d %d\n", t1, t2, atomic_flag_test_and_set(&flag));
    struct node n[3] = { { 1 }, { 2 }, { 3 } };
    for (int i = 0; i < 3; i++)
        push(&n[i]);
    for (struct node *p = top; p; p = p->next)
        printf("%d ", p->v);
    putchar('\n');
    int plain = 7;
    printf("%d\n", __sync_fetch_and_add(&plain, 3));
    printf("%d\n", __atomic_add_fetch(&plain, 5, __ATOMIC_SEQ_CST));
    int done = __sync_bool_compare_and_swap(&plain, 15, 0);
    printf("%d %d\n", done, plain);
    atomic_thread_fence(memory_order_acquire);
    return 0;
}
