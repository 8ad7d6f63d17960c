// verdict: violated
procedure foo()
{
  var x, y, z: int;
  x := x + y;
  x := x + z;
  y := y + z;
  assert x >= 0; //~ assertion
}
