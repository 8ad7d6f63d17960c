// What a string function says depends on the bytes that it reads, and they on who wrote and who copied them.
#include <assert.h>
#include <string.h>

int main(void) {
    char name[8];
    char copy[8];
    char other = 'z';
    name[0] = 'a'; //~ relevant
    name[1] = 'b'; //~ relevant
    name[2] = 0;
    strcpy(copy, name); //~ relevant
    unsigned long length = strlen(copy); //~ relevant
    assert(length != 2);
    return other;
}
