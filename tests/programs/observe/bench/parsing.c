/* Text: sentences and sums are written, read again word by word, counted, and computed by recursive descent. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16, WORDS = 512 };

static char text[LONGEST];
static struct word {
    char letters[24];
    unsigned count;
} words[WORDS];
static unsigned state = 12345;

static unsigned next_random(unsigned end)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % end;
}

static size_t add_word(size_t length)
{
    static const char *const syllables[] = {"ka", "to", "mi", "ren", "sol", "ba", "ne", "lu", "ver", "o"};
    unsigned count = 1 + next_random(3);
    while (count--) {
        const char *syllable = syllables[next_random(10)];
        size_t more = strlen(syllable);
        memcpy(text + length, syllable, more);
        length += more;
    }
    return length;
}

static size_t add_sum(size_t length, int depth)
{
    if (depth == 0 || next_random(3) == 0)
        return length + (size_t)sprintf(text + length, "%u", next_random(1000));
    text[length++] = '(';
    length = add_sum(length, depth - 1);
    text[length++] = "+-*"[next_random(3)];
    length = add_sum(length, depth - 1);
    text[length++] = ')';
    return length;
}

static void write_text(void)
{
    size_t length = 0;
    while (length < LONGEST - 2000) {
        length = next_random(4) ? add_word(length) : add_sum(length, 4);
        text[length++] = next_random(12) ? ' ' : '\n';
    }
    text[length] = 0;
}

static void count_word(const char *from, size_t length)
{
    char letters[24];
    unsigned hash = 0;
    if (length >= sizeof letters)
        length = sizeof letters - 1;
    for (size_t i = 0; i < length; i++) {
        letters[i] = (char)tolower((unsigned char)from[i]);
        hash = hash * 31 + (unsigned char)letters[i];
    }
    letters[length] = 0;
    for (unsigned tries = 0; tries < WORDS; tries++) {
        struct word *word = &words[(hash + tries) % WORDS];
        if (!word->count)
            strcpy(word->letters, letters);
        if (!strcmp(word->letters, letters)) {
            word->count++;
            return;
        }
    }
}

static const char *at;

static unsigned value(void)
{
    unsigned result = 0;
    if (*at != '(') {
        while (isdigit((unsigned char)*at))
            result = result * 10 + (unsigned)(*at++ - '0');
        return result;
    }
    at++;
    result = value();
    char sign = *at++;
    unsigned other = value();
    at++;
    switch (sign) {
    case '+':
        return result + other;
    case '-':
        return result - other;
    default:
        return result * other;
    }
}

static unsigned read_text(void)
{
    unsigned sum = 0;
    at = text;
    while (*at) {
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (isalpha((unsigned char)*at)) {
            const char *begin = at;
            while (isalpha((unsigned char)*at))
                at++;
            count_word(begin, (size_t)(at - begin));
        } else {
            sum += value();
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    unsigned sum = 0;
    for (int round = 0; round < rounds; round++) {
        write_text();
        sum ^= read_text();
    }
    for (int i = 0; i < WORDS; i++)
        sum += words[i].count * (unsigned)i;
    printf("%08x\n", sum);
    return 0;
}
