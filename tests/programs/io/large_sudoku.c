/* Sudoku by constraint propagation with bit masks and backtracking. */
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdbool.h>

typedef struct {
    uint16_t cand[81];
    uint8_t value[81];
    int solved;
} board;

static uint8_t peers[81][20];
static uint8_t units[27][9];
static long guesses, propagations;

static void setup(void)
{
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            units[i][j] = i * 9 + j;
            units[9 + i][j] = j * 9 + i;
            units[18 + i][j] = (i / 3 * 3 + j / 3) * 9 + i % 3 * 3 + j % 3;
        }
    for (int c = 0; c < 81; c++) {
        bool seen[81] = { false };
        int n = 0;
        for (int u = 0; u < 27; u++) {
            bool in = false;
            for (int k = 0; k < 9; k++)
                in |= units[u][k] == c;
            for (int k = 0; in && k < 9; k++)
                if (units[u][k] != c && !seen[units[u][k]]) {
                    seen[units[u][k]] = true;
                    peers[c][n++] = units[u][k];
                }
        }
    }
}

static bool place(board *b, int cell, int digit);

static bool eliminate(board *b, int cell, int digit)
{
    uint16_t bit = 1 << digit;
    if (!(b->cand[cell] & bit))
        return true;
    b->cand[cell] &= ~bit;
    propagations++;
    switch (__builtin_popcount(b->cand[cell])) {
    case 0: return false;
    case 1: return b->value[cell] || place(b, cell, __builtin_ctz(b->cand[cell]));
    default: return true;
    }
}
static bool place(board *b, int cell, int digit)
{
    if (b->value[cell])
        return b->value[cell] == digit;
    if (!(b->cand[cell] >> digit & 1))
        return false;
    b->value[cell] = digit;
    b->cand[cell] = 1 << digit;
    b->solved++;
    for (int i = 0; i < 20; i++) {
        int p = peers[cell][i];
        if (b->value[p] == digit || !eliminate(b, p, digit))
            return false;
    }
    return true;
}
static bool hidden_singles(board *b)
{
    bool progress = true;
    while (progress) {
        progress = false;
        for (int u = 0; u < 27; u++)
            for (int d = 1; d <= 9; d++) {
                int where = -1, n = 0;
                bool have = false;
                for (int k = 0; k < 9; k++) {
                    int c = units[u][k];
                    if (b->value[c] == d) { have = true; break; }
                    if (b->cand[c] >> d & 1) { where = c; n++; }
                }
                if (have)
                    continue;
                if (n == 0)
                    return false;
                if (n == 1) {
                    if (!place(b, where, d))
                        return false;
                    progress = true;
                }
            }
    }
    return true;
}
static bool solve(board *b)
{
    if (!hidden_singles(b))
        return false;
    if (b->solved == 81)
        return true;
    int best = -1, fewest = 10;
    for (int c = 0; c < 81; c++)
        if (!b->value[c]) {
            int n = __builtin_popcount(b->cand[c]);
            if (n < fewest) {
                fewest = n;
                best = c;
            }
        }
    for (unsigned m = b->cand[best]; m; m &= m - 1) {
        board copy = *b;
        guesses++;
        if (place(&copy, best, __builtin_ctz(m)) && solve(&copy)) {
            *b = copy;
            return true;
        }
    }
    return false;
}
static void print(const board *b)
{
    for (int r = 0; r < 9; r++) {
        if (r == 3 || r == 6)
            puts("------+-------+------");
        for (int c = 0; c < 9; c++)
            printf("%s%c", c == 3 || c == 6 ? " | " : c ? " " : "", b->value[r * 9 + c] ? '0' + b->value[r * 9 + c] : '.');
        putchar('\n');
    }
}
static bool valid(const board *b)
{
    for (int u = 0; u < 27; u++) {
        unsigned m = 0;
        for (int k = 0; k < 9; k++)
            m |= 1u << b->value[units[u][k]];
        if (m != 0x3fe)
            return false;
    }
    return true;
}
int main(void)
{
    char line[100];
    int failures = 0;
    setup();
    while (scanf("%99s", line) == 1) {
        if (strlen(line) != 81) {
            printf("bad length %zu\n", strlen(line));
            failures++;
            continue;
        }
        board b;
        memset(&b, 0, sizeof b);
        for (int i = 0; i < 81; i++)
            b.cand[i] = 0x3fe;
        guesses = propagations = 0;
        bool ok = true;
        for (int i = 0; ok && i < 81; i++)
            if (line[i] >= '1' && line[i] <= '9')
                ok = place(&b, i, line[i] - '0');
        if (ok && solve(&b)) {
            print(&b);
            printf("valid %d guesses %ld propagations %ld\n", valid(&b), guesses, propagations);
        } else {
            puts("no solution");
            failures++;
        }
    }
    return failures;
}
