// args: alpha beta
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(argc >= 2);
    for (int i = 1; i < argc; i++)
        assert(strchr(argv[i], 'p')); //~ assert
    return 0;
}
