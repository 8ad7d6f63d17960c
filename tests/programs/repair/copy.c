/*@ requires 0 <= n <= 1000 && \valid(s1 + (0 .. n)) && \valid_read(s2 + (0 .. n));
    assigns s1[0 .. n];
    ensures \forall integer k; 0 <= k <= n ==> s1[k] == s2[k]; */
void copy(int s1[], int s2[], int n)
{
    int i;
    i = 0;
    while (i <= n) {
        s1[i] = s2[i];
        i = i + 1;
    }
}
