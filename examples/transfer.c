/*
 * Accounts and transfers between them. Money moves only if there is enough of
 * it, so that no balance is ever negative.
 *
 *     faultline explain examples/transfer.c
 */
#include <assert.h>
#include <stdbool.h>

#define ACCOUNTS 3

extern unsigned __VERIFIER_nondet_uint(void);

static int balance[ACCOUNTS] = { 100, 50, 0 };

static bool has(unsigned account, int amount)
{
    return account < ACCOUNTS && balance[account] >= amount;
}

static void move(unsigned from, unsigned to, int amount)
{
    balance[from] -= amount;
    balance[to] += amount;
}

static bool transfer(unsigned from, unsigned to, int amount)
{
    if (to >= ACCOUNTS || amount <= 0 || !has(from, amount))
        return false;
    move(to, from, amount); // fault: swapped arguments, move(from, to, amount)
    return true;
}

int main(void)
{
    unsigned from = __VERIFIER_nondet_uint(), to = __VERIFIER_nondet_uint();
    int amount = __VERIFIER_nondet_uint() % 1000;
    int before = to < ACCOUNTS ? balance[to] : 0;
    if (transfer(from, to, amount) && from != to)
        assert(balance[to] == before + amount);
    assert(balance[0] >= 0 && balance[1] >= 0 && balance[2] >= 0);
    assert(balance[0] + balance[1] + balance[2] == 150);
    return 0;
}
