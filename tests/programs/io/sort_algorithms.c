#include <stdio.h>
#include <string.h>

static long swaps;
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; swaps++; }
static void bubble(int *v, int n)
{
    for (int end = n, last; end > 1; end = last) {
        last = 0;
        for (int i = 1; i < end; i++)
            if (v[i - 1] > v[i])
                swap(&v[i - 1], &v[i]), last = i;
    }
}
static void insertion(int *v, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && v[j] < v[j - 1]; j--)
            swap(v + j, v + j - 1);
}
static void selection(int *v, int n)
{
    for (int i = 0; i < n; i++) {
        int m = i;
        for (int j = i + 1; j < n; j++)
            if (v[j] < v[m]) m = j;
        if (m != i) swap(&v[i], &v[m]);
    }
}
static void shell(int *v, int n)
{
    for (int g = n / 2; g; g /= 2)
        for (int i = g; i < n; i++)
            for (int j = i; j >= g && v[j] < v[j - g]; j -= g)
                swap(&v[j], &v[j - g]);
}
static void quick(int *v, int n)
{
    if (n < 2) return;
    int p = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < p) i++;
        while (v[j] > p) j--;
        if (i <= j) swap(&v[i++], &v[j--]);
    }
    quick(v, j + 1);
    quick(v + i, n - i);
}
static void sift(int *v, int i, int n)
{
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && v[c + 1] > v[c]) c++;
        if (v[i] >= v[c]) return;
        swap(&v[i], &v[c]);
    }
}
static void heap(int *v, int n)
{
    for (int i = n / 2; i--;) sift(v, i, n);
    while (n-- > 1) {
        swap(&v[0], &v[n]);
        sift(v, 0, n);
    }
}
static void merge(int *v, int n)
{
    if (n < 2) return;
    int m = n / 2, t[n], i = 0, j = m, k = 0;
    merge(v, m);
    merge(v + m, n - m);
    while (k < n)
        t[k++] = j >= n || (i < m && v[i] <= v[j]) ? v[i++] : v[j++];
    memcpy(v, t, sizeof t);
}
static void counting(int *v, int n)
{
    int c[128] = { 0 };
    for (int i = 0; i < n; i++) c[v[i]]++;
    for (int i = 0, k = 0; i < 128; i++)
        while (c[i]--) v[k++] = i;
}
int main(void)
{
    static const struct { const char *name; void (*f)(int *, int); } algo[] = {
        { "bubble", bubble }, { "insertion", insertion }, { "selection", selection }, { "shell", shell },
        { "quick", quick }, { "heap", heap }, { "merge", merge }, { "counting", counting } };
    int ref[60];
    unsigned x = 99;
    for (int i = 0; i < 60; i++) {
        x = x * 1664525u + 1013904223u;
        ref[i] = x >> 25;
    }
    for (int a = 0; a < 8; a++) {
        int v[60], ok = 1;
        memcpy(v, ref, sizeof v);
        swaps = 0;
        algo[a].f(v, 60);
        for (int i = 1; i < 60; i++) ok &= v[i - 1] <= v[i];
        printf("%-10s ok %d swaps %ld first %d mid %d last %d\n", algo[a].name, ok, swaps, v[0], v[30], v[59]);
    }
    return 0;
}
