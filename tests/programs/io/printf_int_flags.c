#include <stdio.h>
#include <limits.h>

int main(void)
{
    int v[] = { 0, 7, -7, 12345, -12345, INT_MAX, INT_MIN };
    for (int i = 0; i < 7; i++) {
        int x = v[i];
        printf("[%d][%5d][%-5d][%05d][%+d][% d]\n", x, x, x, x, x, x);
        printf("[%.3d][%8.3d][%-8.3d][%+08d][% 8d]\n", x, x, x, x, x);
        printf("[%x][%X][%#x][%#X][%08x][%-#10x]\n", x, x, x, x, x, x);
        printf("[%o][%#o][%u][%.0d][%+.0d]\n", x, x, x, x, x);
    }
    printf("[%hhd][%hhu][%hd][%hu]\n", 300, 300, 70000, 70000);
    printf("[%ld][%lu][%lld][%llu]\n", LONG_MIN, ULONG_MAX, LLONG_MAX, ULLONG_MAX);
    printf("[%jd][%zu][%td][%zd]\n", (__INTMAX_TYPE__)-5, (size_t)99, (__PTRDIFF_TYPE__)-3, (ssize_t){ -1 });
    printf("[%*d][%-*d][%.*d][%*.*d]\n", 6, 42, 6, 42, 4, 42, 7, 3, 42);
    printf("[%*d][%.*d]\n", -6, 42, -1, 0);
    printf("[%c][%5c][%-5c][%c%c]\n", 'a', 'b', 'c', 65, 0x7e);
    printf("%%[%5d%%]\n", 50);
    int n;
    n = printf("%s", "");
    printf("%d\n", n);
    n = printf("%d apples\n", 12);
    printf("%d\n", n);
    return 0;
}
