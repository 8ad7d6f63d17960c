#include <stdio.h>
#include <string.h>

static char b[10] = ".........";
static long nodes;
static const unsigned char lines[8][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 }, { 0, 3, 6 }, { 1, 4, 7 }, { 2, 5, 8 }, { 0, 4, 8 }, { 2, 4, 6 } };

static char winner(void)
{
    for (int i = 0; i < 8; i++)
        if (b[lines[i][0]] != '.' && b[lines[i][0]] == b[lines[i][1]] && b[lines[i][1]] == b[lines[i][2]])
            return b[lines[i][0]];
    return strchr(b, '.') ? 0 : '=';
}
static int search(char who, int alpha, int beta, int *move)
{
    char w = winner();
    nodes++;
    if (w)
        return w == '=' ? 0 : w == who ? 10 : -10;
    for (int i = 0; i < 9; i++) {
        if (b[i] != '.')
            continue;
        b[i] = who;
        int v = -search(who ^ 'X' ^ 'O', -beta, -alpha, &(int){ 0 });
        b[i] = '.';
        if (v > alpha) {
            alpha = v;
            *move = i;
        }
        if (alpha >= beta)
            break;
    }
    return alpha;
}
int main(void)
{
    int m;
    while (!winner() && scanf("%d", &m) == 1) {
        if (m < 0 || m > 8 || b[m] != '.') {
            printf("%d is not possible\n", m);
            continue;
        }
        b[m] = 'X';
        int reply = -1;
        if (!winner()) {
            search('O', -100, 100, &reply);
            b[reply] = 'O';
        }
        printf("you %d me %d\n%.3s\n%.3s\n%.3s\n", m, reply, b, b + 3, b + 6);
    }
    printf("result %c after %ld nodes\n", winner() ? winner() : '?', nodes);
    return 0;
}
