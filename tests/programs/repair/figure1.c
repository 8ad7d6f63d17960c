/* Figure 1(a) of the paper: the comparison in line 12 is wrong. */
/*@ requires n > 0 && \valid_read(a + (0 .. n - 1));
    assigns \nothing;
    ensures \forall integer k; 0 <= k < n ==> \result >= a[k];
    ensures \exists integer k; 0 <= k < n && \result == a[k]; */
int max(int a[], int n)
{
    int i, s;
    i = 1;
    s = a[0];
    while (i < n) {
        if (s >= a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}
