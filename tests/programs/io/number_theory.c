#include <stdio.h>
#include <stdint.h>

typedef uint64_t u64;
static u64 gcd(u64 a, u64 b) { while (b) { u64 t = a % b; a = b; b = t; } return a; }
static u64 mulmod(u64 a, u64 b, u64 m) { return (unsigned __int128)a * b % m; }
static u64 powmod(u64 b, u64 e, u64 m)
{
    u64 r = 1 % m;
    for (b %= m; e; e >>= 1) {
        if (e & 1) r = mulmod(r, b, m);
        b = mulmod(b, b, m);
    }
    return r;
}
static int is_prime(u64 n)
{
    static const u64 w[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37 };
    if (n < 2) return 0;
    for (int i = 0; i < 12; i++)
        if (n % w[i] == 0) return n == w[i];
    u64 d = n - 1;
    int s = __builtin_ctzll(d);
    d >>= s;
    for (int i = 0; i < 12; i++) {
        u64 x = powmod(w[i], d, n);
        if (x == 1 || x == n - 1) continue;
        int r;
        for (r = 1; r < s; r++)
            if ((x = mulmod(x, x, n)) == n - 1) break;
        if (r == s) return 0;
    }
    return 1;
}
static int64_t egcd(int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    if (!b) { *x = 1; *y = 0; return a; }
    int64_t x1, y1, g = egcd(b, a % b, &x1, &y1);
    *x = y1;
    *y = x1 - a / b * y1;
    return g;
}
int main(void)
{
    unsigned long long n;
    while (scanf("%llu", &n) == 1)
        printf("%llu %s\n", n, is_prime(n) ? "prime" : "composite");
    printf("%llu\n", (unsigned long long)gcd(1ULL << 40, 6u * 7776 * 1024));
    int64_t x, y, g = egcd(240, 46, &x, &y);
    printf("%lld = 240*%lld + 46*%lld\n", (long long)g, (long long)x, (long long)y);
    printf("%llu\n", (unsigned long long)powmod(3, 1000000, 1000000007));
    return 0;
}
