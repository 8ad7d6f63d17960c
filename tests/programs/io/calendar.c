#include <stdio.h>
#include <stdlib.h>

static int leap(int y) { return !(y % 4) && (y % 100 || !(y % 400)); }
static int days_in(int m, int y)
{
    static const char d[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return d[m - 1] + (m == 2 && leap(y));
}
static int weekday(int d, int m, int y)
{
    static const int t[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    y -= m < 3;
    return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}
static void month(int m, int y)
{
    static const char *const names[] = { "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December" };
    int first = weekday(1, m, y), n = days_in(m, y);
    printf("%*s %d\nSu Mo Tu We Th Fr Sa\n%*s", 12, names[m - 1], y, first * 3, "");
    for (int d = 1; d <= n; d++)
        printf("%2d%c", d, (first + d) % 7 && d < n ? ' ' : '\n');
}
int main(void)
{
    int m, y;
    while (scanf("%d/%d", &m, &y) == 2)
        if (m >= 1 && m <= 12)
            month(m, y);
        else
            printf("no month %d\n", m);
    int fridays = 0;
    for (y = 2000; y < 2025; y++)
        for (m = 1; m <= 12; m++)
            fridays += weekday(13, m, y) == 5;
    printf("%d\n", fridays);
    return 0;
}
