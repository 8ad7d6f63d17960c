// verdict: violated
procedure main(n: int)
  requires 0 <= n && n <= 3;
{
  var i, j, steps: int;
  i, steps := 0, 0;
  outer:
  while (i < n)
    invariant i <= n;
    invariant i <= 2; //~ invariant
    free invariant steps >= 0;
  {
    j := 0;
    while (true) {
      if (j == i) { break; }
      if (j > 5) { break outer; }
      j := j + 1;
      steps := steps + 1;
    }
    i := i + 1;
  }
  assert i == n;
  assert steps <= 3;
  assert steps < 1; //~ assertion
}
