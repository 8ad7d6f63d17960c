#include <stdio.h>

static int days(int month, int leap)
{
    switch (month) {
    case 4: case 6: case 9: case 11:
        return 30;
    case 2:
        if (leap)
    default:
            return month == 2 ? 29 : 31;
        return 28;
    }
}

static void song(int verse)
{
    switch (verse) {
    case 5: puts("five golden rings");
    case 4: puts("four calling birds");
    case 3: puts("three french hens");
    case 2: puts("two turtle doves, and");
    case 1: puts("a partridge");
        break;
    case 0:
        puts("silence");
    }
}

int main(void)
{
    int total = 0;
    for (int m = 1; m <= 12; m++) {
        total += days(m, m & 1);
        printf("%d:%d/%d ", m, days(m, 0), days(m, 1));
    }
    printf("= %d\n", total);
    for (int v = 0; v < 7; v++)
        song(v);
    long long big = 1LL << 40;
    switch (big) {
    case 0: puts("low"); break;
    case 1LL << 40: puts("big"); break;
    }
    switch ((unsigned char)300) {
    case 44: puts("forty-four"); break;
    case 300 & 0xf0: puts("never"); break;
    }
    switch (3) default: puts("bare default");
    switch (2) ;
    return 0;
}
