/*
 * Dates as numbers of days since 1 January 1970, with some days that are known
 * from a calendar.
 *
 *     faultline explain examples/calendar.c
 */
#include <assert.h>
#include <stdbool.h>

struct date {
    int year, month, day;
};

static bool is_leap(int year)
{
    return year % 4 == 0 && year % 100 != 0 && year % 400 == 0; // fault: wrong operator, the second && should be ||
}

static int days_of_year(int year)
{
    return is_leap(year) ? 366 : 365;
}

static int days_of_month(int year, int month)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4: case 6: case 9: case 11:
        return 30;
    default:
        return 31;
    }
}

static int to_days(struct date date)
{
    int days = date.day - 1;
    for (int month = 1; month < date.month; month++)
        days += days_of_month(date.year, month);
    for (int year = 1970; year < date.year; year++)
        days += days_of_year(year);
    return days;
}

int main(void)
{
    struct date common = { 1971, 3, 1 }, leap = { 1972, 3, 1 };
    struct date millennium = { 2000, 3, 1 }, century = { 2100, 3, 1 };
    assert(to_days(common) == 424);
    assert(to_days(leap) == 790);
    assert(to_days(millennium) == 11017);
    assert(to_days(century) == 47541);
    return 0;
}
