#include <stdio.h>
#define N 10
#define SQ(x) ((x) * (x))

struct node { int value; struct node *next; unsigned flag : 3; };

int table[N], grid[3][4];
static double ratio;

int sum(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * 2;
  return s / (n - 1);
}

int walk(struct node *p) {
  int total = 0;
  while (p) {
    total = total + p->value;
    p->flag = 1;
    p = p->next;
  }
  if (!total || total > 100)
    return -1;
  return total ? SQ(total) : N;
}

long pointers(int *p, int *q, int i, int **pp) {
  *p = *(q + i);
  p += 2;
  q--;
  grid[i][i + 1] = *p++;
  **pp = (int)ratio;
  int *r = &table[i], *t = i + p;
  *r -= t[-1];
  if (p && q && !(i == 2))
    return &grid[1][2] - q;
  return (p - q) * 2 + (unsigned char)i;
}

int main(int argc, char **argv) {
  struct node b = { 2, 0, 0 }, a = { 1, &b, 1 }, copy;
  int x = sum(table, N - 1), y;
  int (*f)(struct node *) = walk;
  copy = a;
  y = x & 0xff;
  table[y % N] = walk(&a) + f(&copy);
  x++;
  --y;
  unsigned char c = x + y;
  c <<= 2;
  long l = -x;
  ratio = x * 1.5;
  switch (x) { case 1: y = ~x; break; default: y = 3; }
  do { y = (y - 1); } while (y > 3 && x == 2);
  printf("%d %f\n", y, ratio > 2.0 ? ratio : l);
  a.next->value++;
  for (;;)
    if (argv[argc][0] == 'x')
      break;
  return y != 0;
}
