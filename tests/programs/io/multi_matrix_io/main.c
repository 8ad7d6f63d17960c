#include <stdio.h>
#include "mat.h"

int main(void)
{
    matrix a, b;
    if (read_matrix(&a) || read_matrix(&b)) return 1;
    matrix p;
    if (multiply(&a, &b, &p)) { puts("shape mismatch"); return 2; }
    print_matrix(&p);
    matrix id = identity(a.rows), q;
    if (!multiply(&id, &a, &q)) printf("identity %d\n", equal(&a, &q));
    printf("bad %d\n", multiply(&a, &p, &q));
    return 0;
}
