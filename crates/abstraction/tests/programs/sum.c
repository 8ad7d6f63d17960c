/* The sum of an array, with one element too many: the lower bound holds all the same. */
int sum(int *a, int n) {
    int i, s = 0;
    for (i = 0; i <= n; ++i) {
        s = s + a[i]; // proved: out-of-bounds-below, null-dereference, uninitialized; open: out-of-bounds-above, overflow
    }
    return s;
}

int main(void) {
    int a[10];
    for (int k = 0; k < 10; k++)
        a[k] = k; // proved: out-of-bounds-above, array-index
    sum(a, 10);
    return 0;
}
