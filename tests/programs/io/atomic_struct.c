#include <stdio.h>
#include <stdatomic.h>

struct pair { int a, b; };
static _Atomic struct pair shared;
static _Atomic double total;
static atomic_uint bits = 0xf0;
static _Atomic _Bool flag;
static atomic_short small = 32767;

int main(void)
{
    atomic_store(&shared, ((struct pair){ 1, 2 }));
    struct pair p = atomic_load(&shared);
    struct pair want = p, next = { p.a + 10, p.b * 5 };
    int ok = atomic_compare_exchange_strong(&shared, &want, next);
    p = shared;
    printf("%d %d %d\n", ok, p.a, p.b);
    total = 1.5;
    atomic_store(&total, atomic_load(&total) * 2 + 4);
    printf("%g\n", (double)total);
    printf("%x", atomic_fetch_and(&bits, 0x30));
    printf(" %x", atomic_fetch_or_explicit(&bits, 1, memory_order_release));
    printf(" %x\n", atomic_load_explicit(&bits, memory_order_acquire));
    flag = 5;
    printf("%d %d\n", flag, atomic_is_lock_free(&bits));
    small++;
    printf("%d\n", small);
    int old = 3;
    printf("%d\n", __atomic_exchange_n(&old, 9, __ATOMIC_SEQ_CST));
    printf("%d\n", __sync_val_compare_and_swap(&old, 9, 12));
    printf("%d\n", __atomic_fetch_sub(&old, 2, __ATOMIC_RELAXED));
    printf("%d\n", old);
    return 0;
}
