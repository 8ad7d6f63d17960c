// verdict: violated
procedure foo(input: int)
{
  var x, y: int;
  x := 1;
  y := input - 42;
  if (y < 0) {
    x := 0;
  }
  assert x != 0; //~ assertion
}
