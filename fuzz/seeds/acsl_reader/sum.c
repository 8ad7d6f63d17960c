/*@ requires 0 <= n <= 1000 && \valid_read(a + (0 .. n - 1));
    requires \forall integer k; 0 <= k < n ==> -1000000 <= a[k] <= 1000000;
    assigns \nothing;
    ensures \result == \sum(0, n - 1, \lambda integer k; a[k]); */
int sum(int a[], int n)
{
    int i, s;
    i = 0;
    s = 0;
    while (i < n) {
        s = s + a[i];
        i = i + 1;
    }
    return s;
}
