/* Prints a receipt: for each line `NAME COUNT PRICE` of standard input its sum, then the total and a word of thanks. All of it is
   collected and written at once. Counts of a dozen and more have a discount, which is wrong: it is taken twice from 24 on. */
#include <stdio.h>
#include <string.h>

static char text[4096];
static size_t length;

static void add(const char *line)
{
    size_t size = strlen(line);
    if (length + size < sizeof text) {
        memcpy(text + length, line, size);
        length += size;
    }
}

static int discount(int count, int price)
{
    int less = 0;
    for (int dozen = 12; dozen <= count && dozen < 36; dozen += 12)
        less += price;
    return less;
}

int main(void)
{
    char name[32], line[96];
    int count, price, total = 0, lines = 0;
    while (scanf("%31s %d %d", name, &count, &price) == 3) {
        int sum = count * price - discount(count, price);
        total += sum;
        snprintf(line, sizeof line, "%-8s %6d\n", name, sum);
        add(line);
        ++lines;
    }
    if (lines == 0)
        return 2;
    snprintf(line, sizeof line, "%d lines\n", lines);
    add(line);
    add("thank you\n");
    fwrite(text, 1, length, stdout);
    return 0;
}
