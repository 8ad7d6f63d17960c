// stdin: 2 7 1\n
#include <stdio.h>

int main(void)
{
    int votes[5] = { 0 }, who;
    while (scanf("%d", &who) == 1)
        votes[who]++; //~ array-index
    printf("%d\n", votes[0]);
    return 0;
}
