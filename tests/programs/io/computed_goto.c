#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, SWAP, DEC, JNZ, PRINT, HALT };

static int run(const int *code)
{
    static void *const table[] = {
        &&l_push, &&l_add, &&l_mul, &&l_dup, &&l_swap, &&l_dec, &&l_jnz, &&l_print, &&l_halt
    };
    int stack[16], sp = 0, steps = 0, tmp;
    const int *pc = code;
#define NEXT do { steps++; goto *table[*pc++]; } while (0)
    NEXT;
l_push: stack[sp++] = *pc++; NEXT;
l_add: sp--; stack[sp - 1] += stack[sp]; NEXT;
l_mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
l_dup: stack[sp] = stack[sp - 1]; sp++; NEXT;
l_swap: tmp = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = tmp; NEXT;
l_dec: stack[sp - 1]--; NEXT;
l_jnz: pc = stack[sp - 1] ? code + *pc : pc + 1; NEXT;
l_print: printf("%d\n", stack[--sp]); NEXT;
l_halt:
    return steps;
}

int main(void)
{
    const int square[] = { PUSH, 12, DUP, MUL, PRINT, HALT };
    printf("steps %d\n", run(square));
    const int twos[] = { PUSH, 1, PUSH, 10, SWAP, PUSH, 2, MUL, SWAP, DEC, JNZ, 4, ADD, PRINT, HALT };
    printf("steps %d\n", run(twos));
    void *where = &&even;
    for (int i = 0; i < 5; i++) {
        goto *where;
even:
        printf("even %d\n", i);
        where = &&odd;
        continue;
odd:
        printf("odd %d\n", i);
        where = &&even;
    }
    return 0;
}
