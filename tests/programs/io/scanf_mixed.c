#include <stdio.h>

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    double total = 0;
    for (int i = 0; i < n; i++) {
        char name[16];
        int qty;
        double price;
        if (scanf(" %15[^,], %d , %lf", name, &qty, &price) != 3) {
            printf("bad record %d\n", i);
            return 2;
        }
        printf("%-12s %3d x %8.2f = %9.2f\n", name, qty, price, qty * price);
        total += qty * price;
    }
    printf("total %.2f\n", total);
    char c;
    int got, junk = 0;
    while ((got = scanf("%c", &c)) == 1)
        if (c != '\n' && c != ' ')
            junk++;
    printf("%d %d %d\n", got, junk, feof(stdin) != 0);
    return 0;
}
