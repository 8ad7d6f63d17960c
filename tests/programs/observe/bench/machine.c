/* An interpreter: programs of a small stack machine with variables, an array, jumps and calls, as many scripting
   languages are inside. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum code { PUSH, LOAD, STORE, ADD, SUB, MUL, MOD, LESS, JUMP, UNLESS, CALL, RETURN, GET, PUT, STOP };

struct instruction {
    enum code code;
    int64_t argument;
};

struct machine {
    int64_t stack[256], variables[16], array[1024];
    const struct instruction *returns[64], *at;
    int depth, calls;
    uint64_t steps;
};

/* for i below n: a[i % 1000] = a[(i * 7 + 3) % 1000] + i % 13, and f(i % 9) to a sum, where f is recursive. */
static const struct instruction program[] = {
    {PUSH, 0},    {STORE, 0},  {LOAD, 0},    {LOAD, 1},    {LESS, 0},    {UNLESS, 36}, {LOAD, 0},   {PUSH, 7},
    {MUL, 0},     {PUSH, 3},   {ADD, 0},     {PUSH, 1000}, {MOD, 0},     {GET, 0},     {LOAD, 0},   {PUSH, 13},
    {MOD, 0},     {ADD, 0},    {LOAD, 0},    {PUSH, 1000}, {MOD, 0},     {PUT, 0},     {LOAD, 0},   {PUSH, 9},
    {MOD, 0},     {CALL, 40},  {LOAD, 2},    {ADD, 0},     {PUSH, 65521}, {MOD, 0},    {STORE, 2},  {LOAD, 0},
    {PUSH, 1},    {ADD, 0},    {STORE, 0},   {JUMP, 2},    {STOP, 0},    {STOP, 0},    {STOP, 0},   {STOP, 0},
    {STORE, 3},   {LOAD, 3},   {PUSH, 2},    {LESS, 0},    {UNLESS, 47}, {PUSH, 1},    {RETURN, 0}, {LOAD, 3},
    {LOAD, 3},    {PUSH, 1},   {SUB, 0},     {CALL, 40},   {ADD, 0},     {RETURN, 0},
};

static void push(struct machine *machine, int64_t value)
{
    if (machine->depth >= 256)
        exit(3);
    machine->stack[machine->depth++] = value;
}

static int64_t pop(struct machine *machine)
{
    if (machine->depth <= 0)
        exit(3);
    return machine->stack[--machine->depth];
}

static int64_t *element(struct machine *machine, int64_t index)
{
    if (index < 0 || index >= 1024)
        exit(4);
    return &machine->array[index];
}

static void run(struct machine *machine)
{
    for (machine->at = program;; machine->steps++) {
        const struct instruction *now = machine->at++;
        int64_t one, other;
        switch (now->code) {
        case PUSH:
            push(machine, now->argument);
            break;
        case LOAD:
            push(machine, machine->variables[now->argument]);
            break;
        case STORE:
            machine->variables[now->argument] = pop(machine);
            break;
        case ADD:
            other = pop(machine);
            one = pop(machine);
            push(machine, one + other);
            break;
        case SUB:
            other = pop(machine);
            one = pop(machine);
            push(machine, one - other);
            break;
        case MUL:
            other = pop(machine);
            one = pop(machine);
            push(machine, one * other);
            break;
        case MOD:
            other = pop(machine);
            one = pop(machine);
            push(machine, other ? one % other : 0);
            break;
        case LESS:
            other = pop(machine);
            one = pop(machine);
            push(machine, one < other);
            break;
        case JUMP:
            machine->at = program + now->argument;
            break;
        case UNLESS:
            if (!pop(machine))
                machine->at = program + now->argument;
            break;
        case CALL:
            if (machine->calls >= 64)
                exit(5);
            machine->returns[machine->calls++] = machine->at;
            machine->at = program + now->argument;
            break;
        case RETURN:
            machine->at = machine->returns[--machine->calls];
            break;
        case GET:
            push(machine, *element(machine, pop(machine)));
            break;
        case PUT:
            one = pop(machine);
            *element(machine, one) = pop(machine) & 0xffff;
            break;
        case STOP:
            return;
        }
    }
}

int main(int argc, char **argv)
{
    static struct machine machine;
    machine.variables[1] = 1000 * (argc > 1 ? atoi(argv[1]) : 1);
    run(&machine);
    printf("%lld %llu\n", (long long)machine.variables[2], (unsigned long long)machine.steps);
    return 0;
}
