// verdict: bounded 8
procedure main()
{
  var i: int;
  i := 0;
  while (*) {
    i := i + 1;
  }
  assert i >= 0;
}
