/* Gries: a[0] <= x < a[n + 1], as if by sentinels. */
/*@ requires 0 <= n <= 1000 && \valid_read(a + (0 .. n + 1));
    requires \forall integer k; 0 <= k <= n ==> a[k] <= a[k + 1];
    requires a[0] <= x < a[n + 1];
    assigns \nothing;
    ensures 0 <= \result <= n;
    ensures a[\result] <= x < a[\result + 1]; */
int search(int a[], int n, int x)
{
    int i, j, e;
    i = 0;
    j = n + 1;
    while (i + 1 != j) {
        e = (i + j) / 2;
        if (a[e] <= x)
            i = e;
        else
            j = e;
    }
    return i;
}
