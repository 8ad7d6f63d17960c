// The paper's first example: the loop takes one element too many.
int sum(int *a, int n)
{
    int i, s = 0;
    for (i = 0; i <= n; ++i) { // fix: for (i = 0; i < n; ++i) {
        s = s + a[i];
    }
    return s;
}

int main(void)
{
    int a[10] = {0};
    sum(a, 10);
    return 0;
}
