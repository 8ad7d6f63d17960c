/* C strings: their ends are what bounds the loops. */
#include <string.h>

static unsigned length(const char *text) {
    const char *end = text;
    while (*end) // proved: out-of-bounds-above, uninitialized
        end++;
    return (unsigned)(end - text);
}

static void copy(char *to, const char *from) {
    while ((*to++ = *from++)) // proved: out-of-bounds-above, out-of-bounds-below, write-to-constant
        ;
}

int main(void) {
    char buffer[16], small[4];
    strcpy(buffer, "a string"); // proved: out-of-bounds-above, string-function
    strcat(buffer, ", six");    // proved: out-of-bounds-above, string-function
    copy(buffer, "another");
    char index = 0;
    while (index < 15 && buffer[(int)index] != 0) // proved: array-index; open: uninitialized
        index++;
    buffer[(int)index] = '!'; // proved: array-index, out-of-bounds-above
    copy(buffer, "text");
    unsigned found = length(buffer);
    strcpy(small, "four"); // open: out-of-bounds-above
    return (int)found;     // never reached
}
