/*@ requires 0 <= left <= right + 1 && right < 1000 && \valid(a + (0 .. right));
    assigns a[left .. right];
    ensures \forall integer k; left <= k < right ==> a[k] <= a[k + 1];
    ensures \forall integer k; left <= k <= right ==>
        \numof(left, right, \lambda integer m; a[m] == \old(a[k])) ==
        \numof(left, right, \lambda integer m; \old(a[m]) == \old(a[k])); */
void quicksort(int a[], int left, int right)
{
    int i, last, temp;
    if (left >= right)
        return;
    last = (left + right) / 2;
    temp = a[left];
    a[left] = a[last];
    a[last] = temp;
    last = left;
    i = left + 1;
    while (i < right) {
        if (a[i] < a[left]) {
            last = last + 1;
            temp = a[last];
            a[last] = a[i];
            a[i] = temp;
        }
        i = i + 1;
    }
    if (a[i] < a[left]) {
        last = last + 1;
        temp = a[last];
        a[last] = a[i];
        a[i] = temp;
    }
    temp = a[left];
    a[left] = a[last];
    a[last] = temp;
    quicksort(a, left, last - 1);
    quicksort(a, last + 1, right);
}
