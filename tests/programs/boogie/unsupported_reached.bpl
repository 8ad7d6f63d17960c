// verdict: unknown
procedure main(x: int)
{
  var y: int;
  if (x > 0) {
    y := 2 ** x;
  }
  assert x != x + 1;
}
