/* Which day of the week a date is, after an old bug in a database server: a year is unsigned, and the first two months
   count to the year before. Dates come on standard input, one a line. */
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

struct date {
    unsigned year, month, day;
};

static long day_number(unsigned year, unsigned month, unsigned day)
{
    if (year == 0 && month == 0 && day == 0)
        return 0;
    long sum = (long)(365L * year + 31 * (month - 1) + day);
    if (month <= 2)
        year--; /* at fault: below year 0 there is no year */
    else
        sum -= (long)(month * 4 + 23) / 10;
    int leap = (int)((year / 100 + 1) * 3) / 4;
    return sum + (int)year / 4 - leap;
}

static int weekday(long number)
{
    return (int)((number + 5) % 7);
}

static int read_date(const char *line, struct date *date)
{
    return sscanf(line, "%u-%u-%u", &date->year, &date->month, &date->day) == 3 && date->month >= 1 && date->month <= 12
        && date->day >= 1 && date->day <= 31;
}

int main(void)
{
    char line[100];
    struct date date;
    int dates = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!read_date(line, &date)) {
            fprintf(stderr, "no date: %s", line);
            return 1;
        }
        int day = weekday(day_number(date.year, date.month, date.day));
        if (day < 0)
            abort();
        printf("%s\n", names[day]);
        dates++;
    }
    return dates == 0;
}
