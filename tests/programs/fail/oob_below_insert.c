#include <stdio.h>

int main(void)
{
    int v[6] = { 9, 4, 7, 1, 3, 2 };
    for (int i = 1; i < 6; i++) {
        int x = v[i], j = i;
        while (v[j - 1] > x) { //~ array-index
            v[j] = v[j - 1];
            j--;
        }
        v[j] = x;
    }
    printf("%d\n", v[0]);
    return 0;
}
