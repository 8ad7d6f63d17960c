/* The loop goes one element too far, as in Figure 2 of the paper on proof-guided error diagnosis. */
int average(int *a, int n)
{
    int i, s = 0;
    for (i = 0; i <= n; i++)
        s = s + a[i]; //~ out-of-bounds-above
    return s / n;
}

int main(void)
{
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i;
    return average(a, 10);
}
