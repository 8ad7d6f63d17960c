#include <stdio.h>

int main(int argc, char **argv)
{
    int mode;
    if (argc > 1)
        mode = 1;
    if (argc > 2)
        mode = 2;
    switch (mode) { //~ uninitialized
    case 1: puts("one"); break;
    case 2: puts("two"); break;
    }
    return 0;
}
