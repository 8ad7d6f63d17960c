/* Puts the words of its input on a label, but for single letters; a label has room for 24 bytes, which nobody checks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct label {
    char *text;
    size_t used;
    size_t room;
};

static void put(struct label *label, const char *word, size_t length)
{
    if (length > 1)
        memcpy(label->text + label->used, word, length);
    label->used += length;
}

int main(void)
{
    char word[100];
    struct label label = {malloc(24), 0, 24};
    while (scanf("%99s", word) == 1)
        put(&label, word, strlen(word));
    printf("%.*s\n", (int)label.used, label.text);
    free(label.text);
    return 0;
}
